/* What the user lets the plug-in know besides the code: a profile of an earlier build (--use), and
 * the paths that matter (--prefer, --select). One for a module.
 *
 * Whatever of it cannot be had or does not match is left out, with one line that says so; with
 * --strict the compilation fails instead.
 */
#ifndef WM_LLVM_KNOWLEDGE_H
#define WM_LLVM_KNOWLEDGE_H

#include <llvm-c/Core.h>

#include "format/plugin_options.h"
#include "llvm/subject/prior.h"
#include "names/path_set.h"

struct wm_knowledge {
	LLVMModuleRef module;
	const struct wm_plugin_options *options;
	bool has_prior;
	struct wm_prior prior;
	bool has_paths; /* those of --prefer, --select or --residual */
	struct wm_path_set paths;
	uint32_t asked; /* functions that were looked for in the profile */
	uint32_t matched;
	uint32_t overfull; /* functions with too many selected paths */
	const char *first_overfull;
	uint64_t first_overfull_paths;
};

/* Loads what the options name; it lives in the arena. */
void wm_knowledge_open(struct wm_arena *arena, LLVMModuleRef module,
	const struct wm_plugin_options *options, struct wm_knowledge *knowledge);

/* What the profile knows of the function, in the arena, or NULL. Ask once for each function. */
const struct wm_prior_function *wm_knowledge_of(
	struct wm_arena *arena, struct wm_knowledge *knowledge, const struct wm_function *function);

/* So many paths of the function are selected that all of them are counted. The name must live as
 * long as the knowledge. */
void wm_knowledge_note_overfull(struct wm_knowledge *knowledge, const char *name, uint64_t paths);

/* After the last function: says what did not match, and if nothing is counted therefore. */
void wm_knowledge_close(const struct wm_knowledge *knowledge, bool anything_counted);

#endif
