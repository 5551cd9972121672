/* What one function goes through in the plug-in, and what its module shares. */
#ifndef WM_LLVM_FUNCTION_H
#define WM_LLVM_FUNCTION_H

#include "llvm/emit/contexts.h"
#include "llvm/emit/inner_entries.h"
#include "llvm/mode/mode.h"
#include "llvm/source/key_list.h"

struct wm_module {
	LLVMModuleRef module;
	struct wm_plugin_options options;
	struct wm_knowledge knowledge;
	const struct wm_mode *mode;
	bool in_segment;       /* counters are addressed relative to the gs register */
	struct wm_texts texts; /* the source records of the module */
	struct wm_pseudo_functions pseudo_functions;
	struct wm_key_list uncounted; /* records of which some code is not counted */
	struct wm_context_module contexts;
	struct wm_inner_entries inner;
	LLVMValueRef *descriptions; /* of the functions instrumented so far */
	size_t description_count;
};

/* Tells LLVM how often the function and its branches ran in an earlier build; counts nothing. */
void wm_function_optimize(struct wm_module *module, struct wm_arena *arena,
	struct wm_bridge *bridge, LLVMValueRef function);

/* Instruments the function; the arena is reset by the caller. */
void wm_function_instrument(struct wm_module *module, struct wm_arena *arena,
	struct wm_bridge *bridge, LLVMValueRef function);

#endif
