/* Control-flow graph in compact arrays.
 *
 * Vertices are 0 .. vertex_count-1, one of them the virtual EXIT. Edges are 0 .. edge_count-1 in
 * the order given (parallel edges and self loops are edges like any other); edge number edge_count
 * is the closing edge EXIT -> entry, which is always there and makes the flow law hold everywhere.
 * The arrays below hold edge_count + 1 edges. EXIT may have further outgoing edges: they stand for
 * re-entry into the middle of a function (a second return of setjmp). A vertex without any edge is
 * code that cannot be reached: its count is zero.
 */
#ifndef WM_CORE_CFG_H
#define WM_CORE_CFG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_cfg {
	uint32_t vertex_count;
	uint32_t edge_count; /* without the closing edge */
	uint32_t entry;
	uint32_t exit;
	uint32_t *source;    /* by edge */
	uint32_t *target;    /* by edge */
	uint32_t *out_start; /* by vertex: its out-edges are out_edge[out_start[v] ..
				out_start[v+1]-1] */
	uint32_t *out_edge;
	uint32_t *out_target; /* by place in out_edge: the edge's target, so that code that
				 follows edges reads one array from front to back */
	uint32_t *in_start;   /* by vertex, like out_start */
	uint32_t *in_edge;
};

/* Builds the graph in the arena; source and target are copied. Requires entry != exit and every
 * endpoint below vertex_count (asserted: callers check untrusted input first). */
struct wm_cfg *wm_cfg_build(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	const uint32_t *source, const uint32_t *target, uint32_t entry, uint32_t exit);

/* The same in two steps: room for a graph, whose source and target the caller fills in for all
 * edges but the closing one; then the closing edge and the lists of edges. */
struct wm_cfg *wm_cfg_allocate(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	uint32_t entry, uint32_t exit);
void wm_cfg_close(struct wm_cfg *cfg);

/* Edge number of EXIT -> entry. */
static inline uint32_t wm_cfg_closing_edge(const struct wm_cfg *cfg)
{
	return cfg->edge_count;
}

static inline bool wm_cfg_touches_exit(const struct wm_cfg *cfg, uint32_t edge)
{
	return cfg->source[edge] == cfg->exit || cfg->target[edge] == cfg->exit;
}

#endif
