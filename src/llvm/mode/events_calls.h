/* What calls do in all, for builds with --inclusive. */
#ifndef WM_LLVM_MODE_EVENTS_CALLS_H
#define WM_LLVM_MODE_EVENTS_CALLS_H

#include "llvm/probe/lowerer.h"

/* The section of the function's calls; NULL if it makes none. */
const struct wm_inclusive_section *wm_events_calls_describe(
	const struct wm_subject *subject, struct wm_measure measure);

/* Adds the steps that count into the counters of the section. */
void wm_events_calls_lower(struct wm_lowerer *lowerer, const struct wm_inclusive_section *section,
	LLVMValueRef counters);

#endif
