/* What ran between two branches that were taken: straight code, with branches that were not. */
#ifndef WM_STREAM_FALL_THROUGH_H
#define WM_STREAM_FALL_THROUGH_H

#include "stream/perf_branches.h"

/* Where a thread is. */
struct wm_straight {
	bool known;	       /* otherwise the next target is where it begins */
	uint64_t at;	       /* the next instruction */
	uint32_t instructions; /* since the last branch */
};

/* Tells the branches that were not taken up to the address. False if the code does not lead there.
 */
bool wm_straight_to(struct wm_straight *place, uint64_t address, const struct wm_stream_code *code,
	const struct wm_stream_sink *sink);

/* The same, and the branch at `from`, which was taken. An instruction that is no branch may lead
 * elsewhere, too: a system call. */
bool wm_straight_on(struct wm_straight *place, uint64_t from, uint64_t to,
	struct wm_stream_branch *told, const struct wm_stream_code *code,
	const struct wm_stream_sink *sink);

#endif
