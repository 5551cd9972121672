/* Regions: one depth-first search for the cuts that every function needs, one pass in topological
 * order for the histories. */
#include "core/regions.h"

#include "core/depth_first.h"

static const uint64_t MOST_PREFIXES = (uint64_t)1 << 62;

static bool touches_exit(const struct wm_cfg *function, uint32_t edge)
{
	return function->source[edge] == function->exit || function->target[edge] == function->exit;
}

static bool *choose_headers(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_depth_first *search, const struct wm_regions_request *request)
{
	bool *header = wm_arena_alloc(arena, function->vertex_count, sizeof *header);
	for (uint32_t v = 0; request->must_start && v < function->vertex_count; v++)
		header[v] = request->must_start[v];
	for (uint32_t e = 0; request->at_loop_entries && e < function->edge_count; e++)
		header[function->target[e]] |= search->back_edge[e];
	return header;
}

static void cut_edges_into(const struct wm_cfg *function, uint32_t v, bool *cut)
{
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++)
		cut[function->in_edge[k]] = true;
}

/* Histories at the vertex, those at its predecessors known; more than `most` need not be exact. */
static uint64_t count_prefixes(const struct wm_cfg *function, const bool *cut,
	const uint64_t *prefix_count, uint32_t v, uint64_t most)
{
	uint64_t count = 0;
	bool starts = false;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (cut[e])
			starts = true;
		else
			count += prefix_count[function->source[e]];
		if (count > most)
			return count;
	}
	return count + starts;
}

static void limit_prefixes(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_depth_first *search, uint64_t most, bool *cut)
{
	uint64_t *count = wm_arena_alloc(arena, function->vertex_count, sizeof *count);
	for (uint32_t i = function->vertex_count; i-- > 0;) {
		uint32_t v = search->postorder[i];
		count[v] = count_prefixes(function, cut, count, v, most);
		if (count[v] <= most)
			continue;
		cut_edges_into(function, v, cut);
		count[v] = 1;
	}
}

bool *wm_regions_cut(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_regions_request *request)
{
	struct wm_depth_first search = wm_depth_first_search(arena, function);
	bool *header = choose_headers(arena, function, &search, request);
	bool *cut = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *cut);
	for (uint32_t e = 0; e <= function->edge_count; e++)
		cut[e] = touches_exit(function, e) || search.back_edge[e] ||
			 header[function->target[e]];
	limit_prefixes(arena, function, &search, request->most_prefixes, cut);
	return cut;
}

static bool leaves_cycle(
	const struct wm_cfg *function, const struct wm_depth_first *search, const bool *cut)
{
	for (uint32_t e = 0; e <= function->edge_count; e++)
		if (!cut[e] && (search->back_edge[e] || touches_exit(function, e)))
			return true;
	return false;
}

/* Gives the vertex its histories, by edge, and returns their number, or more than MOST_PREFIXES. */
static uint64_t number_vertex(struct wm_regions *regions, uint32_t v)
{
	const struct wm_cfg *function = regions->function;
	uint64_t count = regions->is_start[v];
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (regions->cut[e])
			continue;
		regions->offset[e] = count;
		count += regions->prefix_count[function->source[e]];
		if (count > MOST_PREFIXES)
			break;
	}
	return count;
}

int wm_regions_number(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	struct wm_regions *regions, struct wm_error *error)
{
	uint32_t vertices = function->vertex_count, edges = function->edge_count + 1;
	struct wm_depth_first search = wm_depth_first_search(arena, function);
	if (leaves_cycle(function, &search, cut))
		return wm_error_set(error, WM_ERROR_INPUT, "its paths are not cut in every loop");
	*regions = (struct wm_regions){.function = function,
		.cut = cut,
		.order = wm_arena_alloc(arena, vertices, sizeof *regions->order),
		.is_start = wm_arena_alloc(arena, vertices, sizeof *regions->is_start),
		.prefix_count = wm_arena_alloc(arena, vertices, sizeof *regions->prefix_count),
		.offset = wm_arena_alloc(arena, edges, sizeof *regions->offset)};
	for (uint32_t e = 0; e < edges; e++)
		regions->is_start[function->target[e]] |= cut[e];
	for (uint32_t i = 0; i < vertices; i++) {
		uint32_t v = regions->order[i] = search.postorder[vertices - 1 - i];
		regions->prefix_count[v] = number_vertex(regions, v);
		if (regions->prefix_count[v] > MOST_PREFIXES)
			return wm_error_set(
				error, WM_ERROR_INPUT, "more than 2^62 ways lead to block %u", v);
	}
	return 0;
}

/* The edge that brings this history to the vertex. */
static uint32_t edge_before(const struct wm_regions *regions, uint32_t v, uint64_t history)
{
	const struct wm_cfg *function = regions->function;
	uint32_t k = function->in_start[v];
	for (;; k++) {
		uint32_t e = function->in_edge[k];
		if (!regions->cut[e] &&
			history - regions->offset[e] < regions->prefix_count[function->source[e]])
			return e;
	}
}

uint32_t wm_regions_prefix(const struct wm_regions *regions, uint32_t vertex, uint64_t history,
	uint32_t *edges, uint32_t *start)
{
	uint32_t count = 0;
	while (!regions->is_start[vertex] || history) {
		uint32_t e = edge_before(regions, vertex, history);
		edges[count++] = e;
		vertex = regions->function->source[e];
		history -= regions->offset[e];
	}
	*start = vertex;
	return count;
}
