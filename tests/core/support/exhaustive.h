/* The cheapest placement of all, by search: the yardstick for small graphs. */
#ifndef WM_TESTS_EXHAUSTIVE_H
#define WM_TESTS_EXHAUSTIVE_H

#include "core/counters/plan.h"

/* More than this many places for counters are not searched. */
enum { WM_EXHAUSTIVE_LIMIT = 30 };

/* Like wm_plan_make, for edges, blocks and blocks-vertex and weights that are not negative; fills
 * the plan of wm_plan_make if none is cheaper. WM_ERROR_INPUT for the other problems and for graphs
 * with more than WM_EXHAUSTIVE_LIMIT places. Takes time exponential in their number. */
int wm_exhaustive_plan(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, struct wm_plan *plan, struct wm_error *error);

#endif
