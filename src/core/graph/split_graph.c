/* Splitting of vertices. A search goes from each arrival straight to its departure, and leaves both
 * one after the other. Edges keep their order at both. So neither the lists of edges nor the order
 * are computed again: those of the function are spread over twice as many vertices. */
#include "core/graph/split_graph.h"

#include <assert.h>
#include <string.h>

static void fill_ends(const struct wm_cfg *function, struct wm_cfg *split)
{
	for (uint32_t e = 0; e < function->edge_count; e++) {
		split->source[e] = wm_split_departure(function, function->source[e]);
		split->target[e] = wm_split_arrival(function->target[e]);
	}
	for (uint32_t v = 0; v < function->exit; v++) {
		uint32_t e = wm_split_vertex_edge(function, v);
		split->source[e] = wm_split_arrival(v);
		split->target[e] = wm_split_departure(function, v);
	}
	split->source[wm_cfg_closing_edge(split)] = split->exit;
	split->target[wm_cfg_closing_edge(split)] = split->entry;
}

/* In a list of edges the closing edge has another number. */
static uint32_t split_edge(const struct wm_cfg *function, const struct wm_cfg *split, uint32_t e)
{
	return e == wm_cfg_closing_edge(function) ? wm_cfg_closing_edge(split) : e;
}

/* The arrival has the vertex's in-edges. EXIT, which is not split, keeps its own. */
static void fill_in_lists(const struct wm_cfg *function, struct wm_cfg *split)
{
	uint32_t next = 0;
	for (uint32_t v = 0; v < function->vertex_count; v++) {
		split->in_start[wm_split_arrival(v)] = next;
		for (uint32_t i = function->in_start[v]; i < function->in_start[v + 1]; i++)
			split->in_edge[next++] = split_edge(function, split, function->in_edge[i]);
		if (v == function->exit)
			continue;
		split->in_start[wm_split_departure(function, v)] = next;
		split->in_edge[next++] = wm_split_vertex_edge(function, v);
	}
	split->in_start[split->vertex_count] = next;
}

/* The departure has the vertex's out-edges. */
static void fill_out_lists(const struct wm_cfg *function, struct wm_cfg *split)
{
	uint32_t next = 0;
	for (uint32_t v = 0; v < function->vertex_count; v++) {
		uint32_t departure = wm_split_departure(function, v);
		if (v != function->exit) {
			split->out_start[wm_split_arrival(v)] = next;
			split->out_target[next] = departure;
			split->out_edge[next++] = wm_split_vertex_edge(function, v);
		}
		split->out_start[departure] = next;
		for (uint32_t i = function->out_start[v]; i < function->out_start[v + 1]; i++) {
			split->out_target[next] = wm_split_arrival(function->out_target[i]);
			split->out_edge[next++] =
				split_edge(function, split, function->out_edge[i]);
		}
	}
	split->out_start[split->vertex_count] = next;
}

struct wm_cfg *wm_split_graph(struct wm_arena *arena, const struct wm_cfg *function)
{
	uint32_t blocks = function->vertex_count - 1;
	assert(function->exit == blocks);
	struct wm_cfg *split = wm_cfg_allocate(arena, 2 * blocks + 1, function->edge_count + blocks,
		wm_split_arrival(function->entry), wm_split_arrival(function->exit));
	fill_ends(function, split);
	fill_in_lists(function, split);
	fill_out_lists(function, split);
	return split;
}

struct wm_flow_order wm_split_order(
	struct wm_arena *arena, const struct wm_cfg *function, struct wm_flow_order order)
{
	uint32_t blocks = function->vertex_count - 1, next = 0;
	size_t edges = (size_t)function->edge_count + blocks + 1;
	uint32_t *postorder =
		wm_arena_alloc_unset(arena, 2 * (size_t)blocks + 1, sizeof *postorder);
	bool *back_edge = wm_arena_alloc(arena, edges, sizeof *back_edge);
	for (uint32_t i = 0; i < function->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		if (v != function->exit)
			postorder[next++] = wm_split_departure(function, v);
		postorder[next++] = wm_split_arrival(v);
	}
	memcpy(back_edge, order.back_edge, function->edge_count * sizeof *back_edge);
	return (struct wm_flow_order){postorder, back_edge};
}
