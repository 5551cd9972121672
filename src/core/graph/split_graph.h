/* The graph in which every block is an edge.
 *
 * Every vertex but EXIT becomes two, its arrival and its departure, with one edge between them: a
 * counter in a block is then a counter on an edge like any other, and a block that control may
 * leave in its middle can be counted before that happens. Edges keep their numbers; behind them
 * follow the edges of the vertices.
 */
#ifndef WM_CORE_SPLIT_GRAPH_H
#define WM_CORE_SPLIT_GRAPH_H

#include "core/graph/cfg.h"
#include "core/graph/depth_first.h"

/* Requires that EXIT is the last vertex. */
struct wm_cfg *wm_split_graph(struct wm_arena *arena, const struct wm_cfg *function);

/* The order that a search of the split graph would find, from that of the function. */
struct wm_flow_order wm_split_order(
	struct wm_arena *arena, const struct wm_cfg *function, struct wm_flow_order order);

/* The edge of the split graph that is this vertex of the function. */
static inline uint32_t wm_split_vertex_edge(const struct wm_cfg *function, uint32_t vertex)
{
	return function->edge_count + vertex;
}

/* The vertices of the split graph; both are EXIT for EXIT. */
static inline uint32_t wm_split_arrival(uint32_t vertex)
{
	return 2 * vertex;
}

static inline uint32_t wm_split_departure(const struct wm_cfg *function, uint32_t vertex)
{
	return 2 * vertex + (vertex != function->exit);
}

#endif
