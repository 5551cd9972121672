/* LLVM's own pseudo probes in a function's code: the section `pseudo_probes` of its description. */
#ifndef WM_LLVM_SOURCE_PSEUDO_PROBES_H
#define WM_LLVM_SOURCE_PSEUDO_PROBES_H

#include "llvm/subject/capture.h"

struct wm_pseudo_section;

/* The functions of a module that have pseudo probes, by GUID. */
struct wm_pseudo_functions {
	size_t count;
	struct wm_pseudo_entry *entries;
};

void wm_pseudo_functions_read(
	struct wm_arena *arena, LLVMModuleRef module, struct wm_pseudo_functions *functions);

/* NULL if the code has none. */
const struct wm_pseudo_section *wm_pseudo_section_find(struct wm_arena *arena,
	struct wm_bridge *bridge, const struct wm_pseudo_functions *functions, const struct wm_capture *capture);

#endif
