/* Building the anchored graph. Vertex 0 is the root; vertex v of the function arrives at 1 + 2v and
 * departs at 2 + 2v. */
#include "core/counters/anchored_graph.h"

enum { ROOT = 0 };

uint32_t wm_anchored_arrival(uint32_t vertex)
{
	return 1 + 2 * vertex;
}

uint32_t wm_anchored_departure(const struct wm_cfg *function, uint32_t vertex)
{
	return vertex == function->exit ? ROOT : 2 + 2 * vertex;
}

static bool ends_at_anchor(const struct wm_anchors *anchors, uint32_t vertex)
{
	return anchors->at_end && anchors->at_end[vertex];
}

static uint32_t segment_count(
	const struct wm_cfg *function, const struct wm_anchors *anchors, uint32_t vertex)
{
	if (vertex == function->exit)
		return 0;
	return anchors->count[vertex] + !ends_at_anchor(anchors, vertex);
}

static void set_edge(struct wm_anchored_graph *anchored, uint32_t edge, uint32_t source,
	uint32_t target, struct wm_anchored_edge what)
{
	anchored->graph->source[edge] = source;
	anchored->graph->target[edge] = target;
	anchored->edge[edge] = what;
}

static void add_function_edges(
	struct wm_anchored_graph *anchored, const struct wm_anchors *anchors, uint32_t first)
{
	const struct wm_cfg *function = anchored->function;
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t source = function->source[e];
		set_edge(anchored, first + e,
			ends_at_anchor(anchors, source) ? ROOT
							: wm_anchored_departure(function, source),
			wm_anchored_arrival(function->target[e]),
			(struct wm_anchored_edge){WM_ANCHORED_EDGE, e, 0});
	}
}

static void add_segments(
	struct wm_anchored_graph *anchored, const struct wm_anchors *anchors, uint32_t vertex)
{
	const struct wm_cfg *function = anchored->function;
	uint32_t count = segment_count(function, anchors, vertex);
	uint32_t source = wm_anchored_arrival(vertex);
	for (uint32_t i = 0; i < count; i++) {
		bool last = i + 1 == count && !ends_at_anchor(anchors, vertex);
		set_edge(anchored, anchored->first_segment[vertex] + i, source,
			last ? wm_anchored_departure(function, vertex) : ROOT,
			(struct wm_anchored_edge){WM_ANCHORED_SEGMENT, vertex, i});
		source = ROOT;
	}
}

struct wm_anchored_graph *wm_anchored_graph_build(
	struct wm_arena *arena, const struct wm_cfg *function, const struct wm_anchors *anchors)
{
	uint32_t vertices = function->vertex_count, edges = 1 + function->edge_count;
	struct wm_anchored_graph *anchored = wm_arena_alloc(arena, 1, sizeof *anchored);
	anchored->function = function;
	anchored->first_segment =
		wm_arena_alloc_unset(arena, (size_t)vertices + 1, sizeof *anchored->first_segment);
	for (uint32_t v = 0; v < vertices; v++) {
		anchored->first_segment[v] = edges;
		edges += segment_count(function, anchors, v);
	}
	anchored->first_segment[vertices] = edges;
	anchored->graph = wm_cfg_allocate(
		arena, 1 + 2 * vertices, edges, ROOT, wm_anchored_arrival(function->exit));
	anchored->edge = wm_arena_alloc_unset(arena, edges, sizeof *anchored->edge);
	set_edge(anchored, 0, ROOT, wm_anchored_arrival(function->entry),
		(struct wm_anchored_edge){WM_ANCHORED_ENTRY, 0, 0});
	add_function_edges(anchored, anchors, 1);
	for (uint32_t v = 0; v < vertices; v++)
		add_segments(anchored, anchors, v);
	wm_cfg_close(anchored->graph);
	return anchored;
}

double *wm_anchored_weights(struct wm_arena *arena, const struct wm_anchored_graph *anchored,
	const double *edge_weight, const double *vertex_weight, double calls)
{
	uint32_t edges = anchored->graph->edge_count;
	double *weight = wm_arena_alloc_unset(arena, edges, sizeof *weight);
	for (uint32_t e = 0; e < edges; e++) {
		const struct wm_anchored_edge *what = &anchored->edge[e];
		weight[e] = what->part == WM_ANCHORED_ENTRY  ? calls
			    : what->part == WM_ANCHORED_EDGE ? edge_weight[what->index]
							     : vertex_weight[what->index];
	}
	return weight;
}
