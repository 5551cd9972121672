/* Natural loops and how they nest.
 *
 * A loop entry is the target of a back edge. Its loop holds the entry and every vertex below it in
 * the search tree from which a route that stays below leads to the source of a back edge into the
 * entry. In a reducible graph this is the natural loop of Ball & Larus 1994, section 5; in an
 * irreducible one "stays below" keeps loops nested or disjoint, which the paper's definition by
 * itself does not. */
#ifndef WM_CORE_LOOPS_H
#define WM_CORE_LOOPS_H

#include "core/graph/depth_first.h"

/* What is known of one vertex, together because it is asked for together. */
struct wm_loop_place {
	uint32_t enclosing; /* entry of the smallest loop that holds the vertex, an entry's own loop
			       not considered; or WM_NONE */
	uint32_t start;	    /* v is in the loop of h iff start of h <= start of v < end of h */
	uint32_t end;
	bool is_entry;
};

struct wm_loops {
	struct wm_loop_place *place; /* by vertex */
};

/* Everything lives in the arena. Nearly linear, however deep the loops nest. The order comes with
 * its meetings. */
struct wm_loops wm_loops_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order);

/* Entry of the smallest loop that holds the vertex, its own if it is an entry; or WM_NONE. */
uint32_t wm_loops_innermost(const struct wm_loops *loops, uint32_t vertex);

/* By edge but the closing one: entry of the largest loop that holds its source and does not hold
 * its target; or WM_NONE. Logarithmic for each edge. */
uint32_t *wm_loops_outermost_left(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_loops *loops);

#endif
