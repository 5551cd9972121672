/* The flow network of a graph: every vertex v split into an arrival and a departure.
 *
 * A CFG edge u -> v runs from the departure of u to the arrival of v; the vertex v itself is an
 * edge from its arrival to its departure. Counters on vertices and on edges are then the same
 * thing, and the pipeless cycles of Ball & Larus 1994 (section 3.3) are the cycles without a vertex
 * edge.
 *
 * Network edges 0 .. edge_count are the edges of the CFG, the closing edge included; network edge
 * edge_count + 1 + v is vertex v.
 */
#ifndef WM_CORE_FLOW_H
#define WM_CORE_FLOW_H

#include <stdint.h>

#include "core/base/disjoint_sets.h"
#include "core/graph/cfg.h"

static inline uint32_t wm_flow_node_count(const struct wm_cfg *cfg)
{
	return 2 * cfg->vertex_count;
}

static inline uint32_t wm_flow_edge_count(const struct wm_cfg *cfg)
{
	return cfg->edge_count + 1 + cfg->vertex_count;
}

static inline uint32_t wm_flow_arrival(uint32_t vertex)
{
	return 2 * vertex;
}

static inline uint32_t wm_flow_departure(uint32_t vertex)
{
	return 2 * vertex + 1;
}

static inline uint32_t wm_flow_vertex_edge(const struct wm_cfg *cfg, uint32_t vertex)
{
	return cfg->edge_count + 1 + vertex;
}

static inline uint32_t wm_flow_tail(const struct wm_cfg *cfg, uint32_t edge)
{
	return edge <= cfg->edge_count ? wm_flow_departure(cfg->source[edge])
				       : wm_flow_arrival(edge - cfg->edge_count - 1);
}

static inline uint32_t wm_flow_head(const struct wm_cfg *cfg, uint32_t edge)
{
	return edge <= cfg->edge_count ? wm_flow_arrival(cfg->target[edge])
				       : wm_flow_departure(edge - cfg->edge_count - 1);
}

/* Merges the two ends of a network edge; false if the edge closes a cycle of merged ones. */
static inline bool wm_flow_join(
	const struct wm_cfg *cfg, struct wm_disjoint_sets *sets, uint32_t edge)
{
	return wm_disjoint_sets_join(sets, wm_flow_tail(cfg, edge), wm_flow_head(cfg, edge));
}

#endif
