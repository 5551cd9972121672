/* Control-flow graph: adjacency by counting sort, so that a vertex lists its edges in rising order.
 */
#include "core/graph/cfg.h"

#include <assert.h>
#include <string.h>

/* Lists the edges at one endpoint, and the other endpoints beside them unless that is NULL.
 * start has vertex_count + 1 entries. Counts edges one slot late, so that filling moves every
 * start[v + 1] from the beginning of v's list to its end, which is the beginning of the next. */
static void list_by_endpoint(uint32_t vertex_count, uint32_t listed_edges, const uint32_t *endpoint,
	const uint32_t *other, uint32_t *start, uint32_t *edges, uint32_t *others)
{
	for (uint32_t e = 0; e < listed_edges; e++)
		if (endpoint[e] + 2 <= vertex_count)
			start[endpoint[e] + 2]++;
	for (uint32_t v = 1; v <= vertex_count; v++)
		start[v] += start[v - 1];
	for (uint32_t e = 0; e < listed_edges; e++) {
		uint32_t place = start[endpoint[e] + 1]++;
		edges[place] = e;
		if (others)
			others[place] = other[e];
	}
}

struct wm_cfg *wm_cfg_allocate(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	uint32_t entry, uint32_t exit)
{
	size_t starts = (size_t)vertex_count + 1;
	size_t edges = (size_t)edge_count + 1;
	struct wm_cfg *cfg = wm_arena_alloc(arena, 1, sizeof *cfg);
	cfg->vertex_count = vertex_count;
	cfg->edge_count = edge_count;
	cfg->entry = entry;
	cfg->exit = exit;
	cfg->source = wm_arena_alloc_unset(arena, edges, sizeof *cfg->source);
	cfg->target = wm_arena_alloc_unset(arena, edges, sizeof *cfg->target);
	cfg->out_start = wm_arena_alloc(arena, starts, sizeof *cfg->out_start);
	cfg->out_edge = wm_arena_alloc_unset(arena, edges, sizeof *cfg->out_edge);
	cfg->out_target = wm_arena_alloc_unset(arena, edges, sizeof *cfg->out_target);
	cfg->in_start = wm_arena_alloc(arena, starts, sizeof *cfg->in_start);
	cfg->in_edge = wm_arena_alloc_unset(arena, edges, sizeof *cfg->in_edge);
	return cfg;
}

void wm_cfg_close(struct wm_cfg *cfg)
{
	uint32_t edges = cfg->edge_count + 1;
	cfg->source[cfg->edge_count] = cfg->exit;
	cfg->target[cfg->edge_count] = cfg->entry;
	list_by_endpoint(cfg->vertex_count, edges, cfg->source, cfg->target, cfg->out_start,
		cfg->out_edge, cfg->out_target);
	list_by_endpoint(
		cfg->vertex_count, edges, cfg->target, NULL, cfg->in_start, cfg->in_edge, NULL);
}

struct wm_cfg *wm_cfg_build(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	const uint32_t *source, const uint32_t *target, uint32_t entry, uint32_t exit)
{
	assert(entry != exit && entry < vertex_count && exit < vertex_count);
	assert((uint64_t)edge_count + 2 * (uint64_t)vertex_count < UINT32_MAX);
	for (uint32_t e = 0; e < edge_count; e++)
		assert(source[e] < vertex_count && target[e] < vertex_count);

	struct wm_cfg *cfg = wm_cfg_allocate(arena, vertex_count, edge_count, entry, exit);
	if (edge_count) {
		memcpy(cfg->source, source, edge_count * sizeof *source);
		memcpy(cfg->target, target, edge_count * sizeof *target);
	}
	wm_cfg_close(cfg);
	return cfg;
}
