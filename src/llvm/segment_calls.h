/* Which calls of a module are crossed by paths: those that the user's sites name, and that can be
 * crossed. Where a site names a target of a call through a pointer, the call is guarded: if the
 * pointer is that function, it is called by name.
 */
#ifndef WM_LLVM_SEGMENT_CALLS_H
#define WM_LLVM_SEGMENT_CALLS_H

#include "core/base/arena.h"
#include "format/plugin_options.h"
#include "format/segment_sites.h"
#include "llvm/bridge/bridge.h"

struct wm_segment_call {
	LLVMValueRef call, callee;
	double executions; /* measured, if the site says so, else expected in one call of its
			      function */
	size_t size;	   /* instructions of the callee */
	size_t order;
	bool is_named; /* by its place */
};

struct wm_segment_calls {
	struct wm_arena *arena;
	LLVMModuleRef module;
	const struct wm_plugin_options *options;
	struct wm_segment_sites sites;
	bool *found; /* by site: a call fits */
	bool *here;  /* by site: the module has functions of its file */
	size_t count, capacity;
	struct wm_segment_call *calls;
};

/* Adds those of the function. Warns of calls that were named by their place and cannot be crossed.
 */
void wm_segment_calls_add(
	struct wm_segment_calls *calls, struct wm_bridge *bridge, LLVMValueRef function);

/* Whether this call by name, which came with the code of a callee, is wanted and can be crossed. */
bool wm_segment_calls_wants(
	struct wm_segment_calls *calls, LLVMValueRef call, LLVMValueRef *callee);

/* Warns of sites in files of the module at which there is no call. */
void wm_segment_calls_warn(struct wm_segment_calls *calls);

#endif
