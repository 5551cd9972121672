/* Preferential path profiling: small numbers for the paths that matter.
 *
 * Edge values, negative ones among them, whose sums are distinct on the interesting paths and close
 * together, so that an array can count them; other paths may share these sums and are told apart by
 * their Ball-Larus numbers. How close is delta: array entries per interesting path, at best 1
 * (Vaswani 2007, chapter 3).
 */
#ifndef WM_CORE_PREFER_H
#define WM_CORE_PREFER_H

#include "core/paths/paths.h"

enum wm_prefer_method {
	WM_PREFER_INTERVALS, /* as published: sums behind different edges do not interleave */
	WM_PREFER_PACKING    /* they do, where there are holes; ours */
};

/* Packing takes time proportional to the square of the number of paths; with more than this many
 * it gives way to intervals. */
enum { WM_PREFER_PACKING_LIMIT = 2048 };

struct wm_preference {
	int64_t *value; /* by edge of the paths' graph; 0 where no interesting path goes */
	int64_t *sum;	/* by interesting path, in the order given */
	int64_t least;	/* the smallest sum */
	uint64_t range; /* largest sum - smallest sum + 1 */
	uint32_t count; /* interesting paths */
};

/* Interesting are the paths with these numbers, all different and below paths->count, of which
 * there are fewer than 2^63. The order in which a vertex's edges get their values decides how
 * compact the sums are: `effort` is how many orders are tried besides that of the graph; the most
 * compact wins. With intervals each takes time proportional to the length of all interesting paths
 * together. Everything lives in the arena. */
void wm_prefer_plan(struct wm_arena *arena, const struct wm_paths *paths, const uint64_t *numbers,
	uint32_t count, enum wm_prefer_method method, uint32_t effort,
	struct wm_preference *preference);

/* Array entries per interesting path. Requires an interesting path. */
double wm_prefer_delta(const struct wm_preference *preference);

#endif
