/* Selective path profiling: three linear passes over the graph of paths.
 *
 * A vertex's uninteresting edges have no value; its interesting ones start at the number of paths
 * behind the uninteresting ones and take as many numbers as there are paths behind them. A *push*
 * at a vertex with one in-edge moves that edge's value onto the out-edges, so that two probes
 * become one; on uninteresting out-edges the value is lost. What an edge holds then is the sum of a
 * *chain* of edges that ends with it, and a path either counts the whole chain or has lost it.
 *
 * Condition: at every uninteresting out-edge f, all sums behind f are below the smallest that an
 * interesting path has if it parts from the chain (`least`, measured from the chain's first edge).
 *
 * Why no path q has the sum of a selected path p: they part at a vertex, q along y, p along x, and
 * x is interesting. Let C be what the chain that ends at y held above that vertex; p counts
 * C + own(x) and what is behind x, for p takes interesting edges only and loses nothing.
 *   y uninteresting: q counts only what is behind y, less than own(x), as y's paths came first.
 *   y interesting, its chain counted: q's sum is C + own(y) + what is behind y, p's C + own(x) +
 * what is behind x. What is behind an edge is less than the number of its paths: disjoint ranges.
 *   y interesting, its chain lost at f: q counts only what is behind f, by the condition less than
 *     least, which is no more than C + own(x).
 * What is behind an edge never grows: a push at a vertex below moves values within it, or loses
 * them. So it is enough to look at the values before any push.
 */
#include "core/chosen/select.h"

#include <string.h>

#include "core/base/order.h"
#include "core/graph/depth_first.h"

struct selecting {
	struct wm_arena *arena;
	const struct wm_paths *paths;
	const struct wm_cfg *graph;
	struct wm_selection *selection;
	uint64_t *own;	 /* by edge: the selection's value */
	uint64_t *bound; /* by vertex: more than any sum from there to the end */
	uint64_t *least; /* by interesting edge: smallest sum of what parts from its chain */
};

static void mark_interesting(
	const struct selecting *selecting, const uint64_t *numbers, uint32_t count)
{
	uint32_t *edges =
		wm_arena_alloc(selecting->arena, selecting->graph->vertex_count, sizeof *edges);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t length = wm_paths_decode(selecting->paths, numbers[i], edges);
		for (uint32_t k = 0; k < length; k++)
			selecting->selection->interesting[edges[k]] = true;
	}
}

static const uint32_t *hottest_first(const struct selecting *selecting, const double *weight)
{
	uint32_t count = selecting->graph->edge_count;
	double *own = wm_arena_alloc(selecting->arena, count, sizeof *own);
	for (uint32_t e = 0; weight && e < count; e++)
		own[e] = weight[selecting->paths->origin[e]];
	return wm_order_by_weight(selecting->arena, own, count, false);
}

static void number_edges(const struct selecting *selecting, const uint32_t *order)
{
	const struct wm_cfg *graph = selecting->graph;
	const uint64_t *from = selecting->paths->from;
	const bool *interesting = selecting->selection->interesting;
	uint64_t *next = wm_arena_alloc(selecting->arena, graph->vertex_count, sizeof *next);
	for (uint32_t e = 0; e < graph->edge_count; e++)
		if (!interesting[e])
			next[graph->source[e]] += from[graph->target[e]];
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		uint32_t e = order[i], v = graph->source[e];
		if (!interesting[e])
			continue;
		selecting->own[e] = next[v];
		next[v] += from[graph->target[e]];
	}
}

static uint64_t bound_at(const struct selecting *selecting, uint32_t v)
{
	const struct wm_cfg *graph = selecting->graph;
	uint64_t bound = 1;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		uint64_t behind = selecting->own[e] + selecting->bound[graph->target[e]];
		if (behind > bound)
			bound = behind;
	}
	return bound;
}

static void find_bounds(const struct selecting *selecting, const struct wm_depth_first *order)
{
	const struct wm_cfg *graph = selecting->graph;
	selecting->bound[graph->exit] = 1;
	for (uint32_t i = 0; i < graph->vertex_count; i++)
		if (order->postorder[i] != graph->exit)
			selecting->bound[order->postorder[i]] =
				bound_at(selecting, order->postorder[i]);
}

/* The in-edge whose value may be pushed down at this vertex, or WM_NONE. */
static uint32_t edge_to_push(const struct selecting *selecting, uint32_t v)
{
	const struct wm_cfg *graph = selecting->graph;
	if (v == graph->entry || graph->in_start[v + 1] - graph->in_start[v] != 1 ||
		graph->out_start[v] == graph->out_start[v + 1])
		return WM_NONE;
	uint32_t in = graph->in_edge[graph->in_start[v]];
	if (!selecting->selection->increment[in])
		return WM_NONE;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (!selecting->selection->interesting[e] &&
			selecting->bound[graph->target[e]] > selecting->least[in])
			return WM_NONE;
	}
	return in;
}

/* Gives the vertex's interesting edges what its in-edge held, if it was pushed, and their `least`.
 * A path that parts from an edge's chain here has at least the sum of the smallest other edge. */
static void pass_on(const struct selecting *selecting, uint32_t v, uint64_t held, uint64_t least)
{
	const struct wm_cfg *graph = selecting->graph;
	uint32_t smallest = WM_NONE, second = WM_NONE;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (!selecting->selection->interesting[e])
			continue;
		selecting->selection->increment[e] += held;
		if (smallest == WM_NONE || selecting->own[e] < selecting->own[smallest]) {
			second = smallest;
			smallest = e;
		} else if (second == WM_NONE || selecting->own[e] < selecting->own[second]) {
			second = e;
		}
	}
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		uint32_t other = e == smallest ? second : smallest;
		selecting->least[e] = least;
		if (other != WM_NONE && held + selecting->own[other] < least)
			selecting->least[e] = held + selecting->own[other];
	}
}

static void push_down(const struct selecting *selecting, const struct wm_depth_first *order)
{
	const struct wm_cfg *graph = selecting->graph;
	uint64_t *increment = selecting->selection->increment;
	for (uint32_t i = graph->vertex_count; i-- > 0;) {
		uint32_t v = order->postorder[i];
		if (v == graph->exit)
			continue;
		uint32_t in = edge_to_push(selecting, v);
		if (in == WM_NONE) {
			pass_on(selecting, v, 0, UINT64_MAX);
		} else {
			pass_on(selecting, v, increment[in], selecting->least[in]);
			increment[in] = 0;
		}
	}
}

static void add_up(const struct selecting *selecting, const uint64_t *numbers, uint32_t count)
{
	struct wm_selection *selection = selecting->selection;
	uint32_t *edges =
		wm_arena_alloc(selecting->arena, selecting->graph->vertex_count, sizeof *edges);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t length = wm_paths_decode(selecting->paths, numbers[i], edges);
		for (uint32_t k = 0; k < length; k++)
			selection->sum[i] += selection->increment[edges[k]];
	}
	for (uint32_t e = 0; e < selecting->graph->edge_count; e++)
		selection->probe_count += selection->increment[e] != 0;
}

void wm_select_plan(struct wm_arena *arena, const struct wm_paths *paths, const double *weight,
	const uint64_t *numbers, uint32_t count, struct wm_selection *selection)
{
	const struct wm_cfg *graph = paths->graph;
	size_t edges = (size_t)graph->edge_count + 1;
	*selection = (struct wm_selection){
		.interesting = wm_arena_alloc(arena, edges, sizeof(bool)),
		.value = wm_arena_alloc(arena, edges, sizeof(uint64_t)),
		.increment = wm_arena_alloc(arena, edges, sizeof(uint64_t)),
		.sum = wm_arena_alloc(arena, count, sizeof(uint64_t)),
	};
	struct selecting selecting = {arena, paths, graph, selection, selection->value,
		wm_arena_alloc(arena, graph->vertex_count, sizeof(uint64_t)),
		wm_arena_alloc(arena, edges, sizeof(uint64_t))};
	struct wm_depth_first order = wm_depth_first_search(arena, graph);
	mark_interesting(&selecting, numbers, count);
	number_edges(&selecting, hottest_first(&selecting, weight));
	memcpy(selection->increment, selection->value, edges * sizeof(uint64_t));
	find_bounds(&selecting, &order);
	push_down(&selecting, &order);
	add_up(&selecting, numbers, count);
}
