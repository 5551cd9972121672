/* Natural loops and how they nest.
 *
 * A loop entry is the target of a back edge. Its loop holds the entry and every vertex below it in
 * the search tree from which a way that stays below leads to the source of a back edge into the
 * entry. In a reducible graph this is the natural loop of Ball & Larus 1994, section 5; in an
 * irreducible one "stays below" keeps loops nested or disjoint, which the paper's definition by
 * itself does not.
 */
#ifndef WM_CORE_LOOPS_H
#define WM_CORE_LOOPS_H

#include "core/depth_first.h"

struct wm_loops {
	bool *is_entry;	     /* by vertex */
	uint32_t *enclosing; /* by vertex: entry of the smallest loop that holds it, an entry's own
				loop not considered; or WM_NONE */
	/* The forest of `enclosing`, prepared for questions in logarithmic time. */
	uint32_t *start; /* by vertex: v is in the loop of h iff start[h] <= start[v] < end[h] */
	uint32_t *end;
	uint32_t *depth;
	uint32_t *jump; /* by vertex: an ancestor further up, or WM_NONE */
};

/* Everything lives in the arena. Nearly linear, however deep the loops nest. */
struct wm_loops wm_loops_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order);

/* Entry of the smallest loop that holds the vertex, its own if it is an entry; or WM_NONE. */
uint32_t wm_loops_innermost(const struct wm_loops *loops, uint32_t vertex);

/* Entry of the largest loop that holds `from` and does not hold `to`; or WM_NONE. */
uint32_t wm_loops_outermost_left(const struct wm_loops *loops, uint32_t from, uint32_t to);

#endif
