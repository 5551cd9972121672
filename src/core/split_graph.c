/* Splitting of vertices: see the header. */
#include "core/split_graph.h"

#include <assert.h>

struct wm_cfg *wm_split_graph(struct wm_arena *arena, const struct wm_cfg *function)
{
	uint32_t blocks = function->vertex_count - 1;
	uint32_t edges = function->edge_count + blocks;
	uint32_t *source = wm_arena_alloc(arena, edges, sizeof *source);
	uint32_t *target = wm_arena_alloc(arena, edges, sizeof *target);
	assert(function->exit == blocks);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		source[e] = wm_split_departure(function, function->source[e]);
		target[e] = wm_split_arrival(function->target[e]);
	}
	for (uint32_t v = 0; v < blocks; v++) {
		uint32_t e = wm_split_vertex_edge(function, v);
		source[e] = wm_split_arrival(v);
		target[e] = wm_split_departure(function, v);
	}
	return wm_cfg_build(arena, 2 * blocks + 1, edges, source, target,
		wm_split_arrival(function->entry), wm_split_arrival(function->exit));
}
