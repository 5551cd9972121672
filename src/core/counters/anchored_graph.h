/* The anchored graph: a function in which all anchors are one vertex.
 *
 * An anchor is a place where a count of events must be exact without any addition: the entry, EXIT,
 * and every call that may not come back or in which the count may be asked for. Anchors divide a
 * vertex into segments. The root stands for the entry and all anchors; every vertex has an arrival
 * and a departure, and each segment is an edge between two of these. Increments from potentials
 * (core/graph/potentials.h) are then exact at the root, hence at every anchor, however a function
 * is left and wherever it is entered again. After Ball 1994, section 4, which adds and subtracts
 * around calls instead; a tree of the anchored graph is never more expensive.
 */
#ifndef WM_CORE_ANCHORED_GRAPH_H
#define WM_CORE_ANCHORED_GRAPH_H

#include "core/graph/cfg.h"

enum wm_anchored_part {
	WM_ANCHORED_ENTRY,  /* from the root to the first vertex */
	WM_ANCHORED_EDGE,   /* an edge of the function */
	WM_ANCHORED_SEGMENT /* of a vertex */
};

struct wm_anchored_edge {
	enum wm_anchored_part part;
	uint32_t index;	  /* edge or vertex of the function */
	uint32_t segment; /* of the vertex, from 0 */
};

struct wm_anchored_graph {
	const struct wm_cfg *function;
	struct wm_cfg *graph;	       /* its entry is the root, its exit is EXIT */
	struct wm_anchored_edge *edge; /* by edge of the graph: what it is in the function */
	uint32_t *first_segment;       /* by vertex: the edge of its first segment; the others
					  follow. One more entry: behind the last edge */
};

/* What divides the vertices of a function. Both arrays are by vertex; those of EXIT are 0. */
struct wm_anchors {
	const uint32_t *count; /* anchors in the vertex */
	const bool *at_end; /* the last one ends it: what follows starts at the anchor; or NULL */
};

/* Builds the graph in the arena. The function's edges keep their order behind the entry's edge and
 * are followed by the segments, vertex by vertex. */
struct wm_anchored_graph *wm_anchored_graph_build(
	struct wm_arena *arena, const struct wm_cfg *function, const struct wm_anchors *anchors);

/* Vertices of the graph. The departure of EXIT is the root. */
uint32_t wm_anchored_arrival(uint32_t vertex);
uint32_t wm_anchored_departure(const struct wm_cfg *function, uint32_t vertex);

/* Weights by edge of the graph from those of the function's edges and vertices; `calls` is the
 * weight of the entry's edge. */
double *wm_anchored_weights(struct wm_arena *arena, const struct wm_anchored_graph *anchored,
	const double *edge_weight, const double *vertex_weight, double calls);

#endif
