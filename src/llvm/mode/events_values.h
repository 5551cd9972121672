/* The segments of a function's blocks between anchors: what each executes, and where its increment
 * stands. */
#ifndef WM_LLVM_MODE_EVENTS_VALUES_H
#define WM_LLVM_MODE_EVENTS_VALUES_H

#include "llvm/subject/subject.h"

struct wm_segments {
	uint32_t *anchor_count; /* by vertex */
	bool *at_end;		/* by vertex: nothing that sums events follows its last anchor */
	uint32_t *return_of; /* by vertex: the return that others also jump to, whose events belong
				to this block because its last call is in tail position; or
				WM_NONE */
	uint32_t *first;	/* by vertex: its first segment */
	LLVMValueRef *place;	/* by segment: before this instruction */
	uint64_t **value;	/* by kind, by segment */
};

const struct wm_segments *wm_segments_find(const struct wm_subject *subject);

#endif
