/* The most compact sums that any edge values give to the interesting paths: the yardstick for
 * core/chosen/prefer.h, by search, for small cases. */
#ifndef WM_CORE_PREFER_OPTIMUM_H
#define WM_CORE_PREFER_OPTIMUM_H

#include "core/paths/paths.h"

/* More interesting paths than this are not searched. */
enum { WM_PREFER_OPTIMUM_LIMIT = 24 };

struct wm_prefer_optimum {
	uint64_t range; /* no values have a smaller one */
	bool reached;	/* there are values with this range */
};

/* Paths as for wm_prefer_plan; `known` is a range that is known to be possible. The search gives up
 * after step_limit steps, or at once if there are too many paths: `reached` is then false, and the
 * range only a lower bound. */
struct wm_prefer_optimum wm_prefer_optimum_find(struct wm_arena *arena,
	const struct wm_paths *paths, const uint64_t *numbers, uint32_t count, uint64_t known,
	uint64_t step_limit);

#endif
