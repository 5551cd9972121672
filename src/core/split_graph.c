/* Splitting of vertices. A search goes from each arrival straight to its departure, and leaves them
 * in turn; edges keep their order at both. So neither lists of edges nor an order need be found
 * again: what the function has is spread over twice as many vertices. */
#include "core/split_graph.h"

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

/* Appends a vertex's list of edges, in which the closing edge has another number. */
static uint32_t copy_list(const struct wm_cfg *function, const struct wm_cfg *split,
	const uint32_t *from, uint32_t count, uint32_t *to)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = from[i] == wm_cfg_closing_edge(function) ? wm_cfg_closing_edge(split)
								 : from[i];
	return count;
}

/* The arrival has the vertex's in-edges, the departure its out-edges, and EXIT, which is not split,
 * has both. */
static void fill_lists(const struct wm_cfg *function, struct wm_cfg *split)
{
	uint32_t in = 0, out = 0;
	for (uint32_t v = 0; v < function->vertex_count; v++) {
		uint32_t arrival = wm_split_arrival(v), departure = wm_split_departure(function, v);
		uint32_t in_count = function->in_start[v + 1] - function->in_start[v];
		uint32_t out_count = function->out_start[v + 1] - function->out_start[v];
		split->in_start[arrival] = in;
		split->out_start[arrival] = out;
		in += copy_list(function, split, function->in_edge + function->in_start[v],
			in_count, split->in_edge + in);
		if (departure != arrival) {
			split->out_edge[out++] = wm_split_vertex_edge(function, v);
			split->in_start[departure] = in;
			split->out_start[departure] = out;
			split->in_edge[in++] = wm_split_vertex_edge(function, v);
		}
		out += copy_list(function, split, function->out_edge + function->out_start[v],
			out_count, split->out_edge + out);
	}
	split->in_start[split->vertex_count] = in;
	split->out_start[split->vertex_count] = out;
}

struct wm_cfg *wm_split_graph(struct wm_arena *arena, const struct wm_cfg *function)
{
	uint32_t blocks = function->vertex_count - 1;
	assert(function->exit == blocks);
	struct wm_cfg *split = wm_cfg_allocate(arena, 2 * blocks + 1, function->edge_count + blocks,
		wm_split_arrival(function->entry), wm_split_arrival(function->exit));
	fill_ends(function, split);
	fill_lists(function, split);
	return split;
}

struct wm_flow_order wm_split_order(
	struct wm_arena *arena, const struct wm_cfg *function, struct wm_flow_order order)
{
	uint32_t blocks = function->vertex_count - 1, next = 0;
	size_t edges = (size_t)function->edge_count + blocks + 1;
	uint32_t *postorder = wm_arena_alloc(arena, 2 * (size_t)blocks + 1, sizeof *postorder);
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
