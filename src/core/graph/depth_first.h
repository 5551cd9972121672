/* Depth-first search of a graph from its entry, without recursion.
 *
 * Edges that leave EXIT (the closing edge and re-entries) are not followed: they are no flow inside
 * the function. Vertices that the entry does not reach are searched afterwards, from the targets of
 * re-entries first, so that every vertex has its numbers.
 */
#ifndef WM_CORE_DEPTH_FIRST_H
#define WM_CORE_DEPTH_FIRST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/none.h"
#include "core/graph/cfg.h"

struct wm_depth_first {
	uint32_t *preorder;	    /* vertices as they are found */
	uint32_t *preorder_number;  /* by vertex: its place there */
	uint32_t *postorder;	    /* vertices as they are left */
	uint32_t *postorder_number; /* by vertex: its place there */
	uint32_t *parent;	    /* by vertex: in the search tree; WM_NONE for roots */
	bool *back_edge;	    /* by edge: leads to its source or to an ancestor of it */
	uint32_t *meeting;	    /* by edge that is neither a tree edge nor a back edge: nearest
				       common ancestor of its ends; otherwise WM_NONE. NULL if
				       not asked for */
};

/* The part of a search that gives the order of flow. */
struct wm_flow_order {
	const uint32_t *postorder;
	const bool *back_edge;
};

static inline struct wm_flow_order wm_depth_first_flow(const struct wm_depth_first *search)
{
	return (struct wm_flow_order){search->postorder, search->back_edge};
}

/* Everything lives in the arena. The graph without the back edges and without the edges that leave
 * EXIT runs from later to earlier in postorder: postorder backwards is a topological order of it.
 */
struct wm_depth_first wm_depth_first_search(struct wm_arena *arena, const struct wm_cfg *cfg);

/* The same with the meetings, which take a logarithmic search for each edge. */
struct wm_depth_first wm_depth_first_search_meetings(
	struct wm_arena *arena, const struct wm_cfg *cfg);

#endif
