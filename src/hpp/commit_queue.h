/* The queue between the pipeline's commit stage and the profiler: how long commit stalls.
 *
 * A branch enters when fewer than `slots` others wait; without slots, when the profiler is idle.
 * All times are in cycles, multiplied by the caller's unit. Thesis, section 5.5.4.
 */
#ifndef WM_HPP_COMMIT_QUEUE_H
#define WM_HPP_COMMIT_QUEUE_H

#include <stdint.h>

#include "hpp/path_stack.h"

enum { WM_MAX_QUEUE = 64 };

struct wm_commit_queue {
	uint32_t slots;
	uint64_t begin[WM_MAX_QUEUE]; /* when the profiler took each of the last branches */
	uint64_t free;		      /* when the profiler is idle again */
	uint64_t branches, stall;
};

struct wm_latencies {
	uint32_t push, update, update_count, pop, hit;
	uint32_t miss; /* log2 of the ways, at least 1 */
};

/* Those of the thesis; a hit takes 1 cycle. */
struct wm_latencies wm_latencies_of(uint32_t ways);

/* The cycles that the profiler needs for a branch with this work; `presented` paths went to the
 * table, `misses` of them were not in it. */
uint32_t wm_service(const struct wm_latencies *latencies, const struct wm_path_work *work,
	uint32_t presented, uint32_t misses);

/* A branch that retires at this time, without stalls, and occupies the profiler for `service`.
 * Returns by how much it stalls. */
uint64_t wm_commit_queue_add(struct wm_commit_queue *queue, uint64_t retire, uint64_t service);

#endif
