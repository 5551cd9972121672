/* The calls of the captured code, for its description. */
#ifndef WM_LLVM_CALL_SITES_H
#define WM_LLVM_CALL_SITES_H

#include "llvm/subject/capture.h"

/* Whether the description lists the call: not if the compiler itself expands it. */
bool wm_call_sites_has(const struct wm_call *call);

/* Adds the calls to the description; `positions` has one for each call of the capture. Calls that
 * the compiler itself expands (intrinsics, code of the assembler) are left out. */
void wm_call_sites_describe(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_capture *capture, const struct wm_position *positions,
	struct wm_function *function);

#endif
