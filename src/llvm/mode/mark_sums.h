/* Marks with a number that only the running code knows, in builds that count blocks: a counter for
 * each, to which the number is added on the spot. */
#ifndef WM_LLVM_MODE_MARK_SUMS_H
#define WM_LLVM_MODE_MARK_SUMS_H

#include "llvm/probe/lowerer.h"

/* Adds the counters, and says of which marks they are. */
void wm_mark_sums_describe(const struct wm_subject *subject, struct wm_function *described);

/* Adds the steps. */
void wm_mark_sums_lower(struct wm_lowerer *lowerer, const struct wm_function *described);

#endif
