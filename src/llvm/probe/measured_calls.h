/* Calls whose events are summed, callees included: what the running sums have gained when a call
 * comes back. Sums are exact right before and right behind a call, so recursion, early exits and
 * exceptions need nothing else. Ball (1994) adds what a call did to a sum of the caller as well,
 * which counts recursive calls twice.
 */
#ifndef WM_LLVM_MEASURED_CALLS_H
#define WM_LLVM_MEASURED_CALLS_H

#include "llvm/probe/lowerer.h"

struct wm_measured_call {
	LLVMValueRef counters; /* of the function's calls, in the address space of its sums */
	uint64_t first;	       /* the call's: made, came back, and by kind the events */
	uint32_t kind_count;   /* running sums: the lowerer's first counters */
	LLVMValueRef *before;  /* by kind: the slot of the sum before the call; NULL: its return is
				  not seen */
};

/* Whether the function sees the call come back: not if it may become a jump, nor if it may come
 * back twice, nor if nothing fits on an edge behind it. */
bool wm_measured_call_is_seen(const struct wm_subject *subject, const struct wm_call *call);

/* Adds the steps of the call. `measured` is kept. */
void wm_lowerer_measure_call(
	struct wm_lowerer *lowerer, const struct wm_call *call, struct wm_measured_call *measured);

/* Writes the steps; `shared` is as for wm_lowerer_base. */
void wm_lowerer_begin_call(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared);
void wm_lowerer_end_call(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared);

#endif
