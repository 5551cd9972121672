/* What code and runtime have together of a thread's simulated caches. */
#ifndef WM_FORMAT_SIM_STATE_H
#define WM_FORMAT_SIM_STATE_H

#include <stdint.h>

/* Code looks by itself whether the line that it needs was the last one used of its set: the first
 * of the set's tags, which is the line's number plus 1. Then nothing changes. */
struct wm_sim_state {
	const uint64_t *tags; /* of the first level; never NULL */
	uint64_t misses[2];   /* by level */
	void *caches;	      /* the runtime's */
};

#endif
