/* Segments: paths that cross calls (`waymark cc --segments=K`).
 *
 * The code of callees is put in place of chosen calls, so a path of the caller goes on through the
 * callee. Copies are made of each callee before anything is inlined, so a segment crosses as many
 * calls as were asked for, and no more.
 */
#ifndef WM_LLVM_SEGMENTS_H
#define WM_LLVM_SEGMENTS_H

#include "format/plugin_options.h"
#include "llvm/bridge/bridge.h"

/* Does that in all functions of the module that are counted. Warns of calls that were named by
 * their place and cannot be crossed. False, with an error, if the list of calls cannot be read. */
bool wm_segments_inline(LLVMModuleRef module, const struct wm_plugin_options *options,
	wm_bridge_open open, wm_bridge_close close, void *context);

#endif
