/* Plans: the placements of Ball & Larus 1994, section 3, and Knuth & Stevenson 1973.
 *
 * All of them choose what to leave uncounted in the flow network (core/graph/flow.h), and all rest
 * on one fact: merge the two ends of every uncounted CFG edge; the vertices are determined if and
 * only if the uncounted vertex edges hold no cycle in what remains. An edge whose ends are already
 * merged by other uncounted edges changes nothing, so its counter may go. That is why `blocks`
 * drops every chord with a pipeless fundamental cycle and needs no marks on the cycles that it has
 * dropped.
 */
#include "core/counters/plan.h"

#include <assert.h>

#include "core/base/order.h"
#include "core/graph/flow.h"
#include "core/graph/spanning_tree.h"

static const char *const problem_names[] = {
	[WM_PROBLEM_EDGES] = "edges",
	[WM_PROBLEM_BLOCKS] = "blocks",
	[WM_PROBLEM_BLOCKS_VERTEX] = "blocks-vertex",
	[WM_PROBLEM_REDUNDANT] = "redundant",
	[WM_PROBLEM_REDUNDANT_EDGES] = "redundant-edges",
};

const char *wm_problem_name(enum wm_problem problem)
{
	assert((unsigned)problem < WM_PROBLEM_COUNT);
	return problem_names[problem];
}

static double sum_of_weights(const double *weight, const uint32_t *edges, uint32_t from,
	uint32_t to, uint32_t closing_edge)
{
	double sum = 0;
	for (uint32_t i = from; i < to; i++)
		if (edges[i] != closing_edge)
			sum += weight[edges[i]];
	return sum;
}

double wm_plan_vertex_weight(const struct wm_cfg *cfg, const double *weight, uint32_t v)
{
	uint32_t closing_edge = wm_cfg_closing_edge(cfg);
	if (cfg->out_start[v] < cfg->out_start[v + 1])
		return sum_of_weights(weight, cfg->out_edge, cfg->out_start[v],
			cfg->out_start[v + 1], closing_edge);
	return sum_of_weights(
		weight, cfg->in_edge, cfg->in_start[v], cfg->in_start[v + 1], closing_edge);
}

static int take_uncountable(const struct wm_cfg *cfg, const struct wm_plan_request *request,
	struct wm_disjoint_sets *sets, struct wm_error *error)
{
	wm_flow_join(cfg, sets, wm_cfg_closing_edge(cfg));
	wm_flow_join(cfg, sets, wm_flow_vertex_edge(cfg, cfg->exit));
	for (uint32_t e = 0; request->uncountable && e < cfg->edge_count; e++)
		if (request->uncountable[e] && !wm_flow_join(cfg, sets, e))
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"edge %u, from vertex %u to vertex %u, closes a cycle of edges "
				"that cannot carry a counter",
				e, cfg->source[e], cfg->target[e]);
	return 0;
}

/* Chords of a spanning tree of the flow network, where a vertex is an edge like any other: a
 * block's own counter then takes the place of one on a critical edge wherever that is cheaper. */
static int count_network_chords(struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, bool *edge_counted, bool *vertex_counted,
	struct wm_error *error)
{
	uint32_t count = wm_flow_edge_count(cfg);
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg));
	double *weight = wm_arena_alloc(scratch, count, sizeof *weight);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		weight[e] = request->weight[e];
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		weight[wm_flow_vertex_edge(cfg, v)] = request->vertex_weight[v];
	int status = take_uncountable(cfg, request, &sets, error);
	uint32_t *order = wm_order_by_weight(scratch, weight, count, request->minimum_tree);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t edge = order[i];
		bool forced = edge < cfg->edge_count
				      ? request->uncountable && request->uncountable[edge]
				      : edge == wm_cfg_closing_edge(cfg) ||
						edge == wm_flow_vertex_edge(cfg, cfg->exit);
		bool counted = !forced && !wm_flow_join(cfg, &sets, edge);
		if (edge < cfg->edge_count)
			edge_counted[edge] = counted;
		else if (edge > cfg->edge_count)
			vertex_counted[edge - wm_flow_vertex_edge(cfg, 0)] = counted;
	}
	return status;
}

static int count_chords(struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, bool *edge_counted, bool *vertex_counted,
	struct wm_error *error)
{
	bool *in_tree;
	if (request->vertex_weight)
		return count_network_chords(
			scratch, cfg, request, edge_counted, vertex_counted, error);
	int status = wm_spanning_tree(scratch, cfg, request->weight, request->uncountable,
		request->minimum_tree, &in_tree, error);
	for (uint32_t e = 0; status == 0 && e < cfg->edge_count; e++)
		edge_counted[e] = !in_tree[e];
	return status;
}

static void drop_pipeless_chords(struct wm_arena *scratch, const struct wm_cfg *cfg, bool *counted)
{
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg));
	wm_flow_join(cfg, &sets, wm_cfg_closing_edge(cfg));
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (!counted[e])
			wm_flow_join(cfg, &sets, e);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (counted[e])
			counted[e] = wm_disjoint_sets_find(&sets, wm_flow_tail(cfg, e)) !=
				     wm_disjoint_sets_find(&sets, wm_flow_head(cfg, e));
}

/* The classes of Knuth & Stevenson are the sets left when all CFG edges are merged. EXIT joins
 * first: it is no code, so it never carries a counter. */
static void count_class_chords(struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, bool *counted)
{
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg));
	double *weight = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *weight);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		weight[v] = wm_plan_vertex_weight(cfg, request->weight, v);
	uint32_t *order =
		wm_order_by_weight(scratch, weight, cfg->vertex_count, request->minimum_tree);

	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		wm_flow_join(cfg, &sets, e);
	wm_flow_join(cfg, &sets, wm_flow_vertex_edge(cfg, cfg->exit));
	for (uint32_t i = 0; i < cfg->vertex_count; i++) {
		uint32_t v = order[i];
		counted[v] =
			v != cfg->exit && !wm_flow_join(cfg, &sets, wm_flow_vertex_edge(cfg, v));
	}
}

static void count_all_vertices(const struct wm_cfg *cfg, bool *counted)
{
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		counted[v] = v != cfg->exit;
}

static int count_all_edges(struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, bool *counted, struct wm_error *error)
{
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg));
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		counted[e] = !request->uncountable || !request->uncountable[e];
	return take_uncountable(cfg, request, &sets, error);
}

static int choose(struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, bool *edge_counted, bool *vertex_counted,
	struct wm_error *error)
{
	int status;
	switch (request->problem) {
	case WM_PROBLEM_EDGES:
		return count_chords(scratch, cfg, request, edge_counted, vertex_counted, error);
	case WM_PROBLEM_BLOCKS:
		status = count_chords(scratch, cfg, request, edge_counted, vertex_counted, error);
		if (status == 0)
			drop_pipeless_chords(scratch, cfg, edge_counted);
		return status;
	case WM_PROBLEM_BLOCKS_VERTEX:
		count_class_chords(scratch, cfg, request, vertex_counted);
		return 0;
	case WM_PROBLEM_REDUNDANT:
		count_all_vertices(cfg, vertex_counted);
		return 0;
	case WM_PROBLEM_REDUNDANT_EDGES:
		count_all_vertices(cfg, vertex_counted);
		return count_all_edges(scratch, cfg, request, edge_counted, error);
	case WM_PROBLEM_COUNT:
		break;
	}
	return wm_error_set(
		error, WM_ERROR_INPUT, "there is no placement %d", (int)request->problem);
}

void wm_plan_fill(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, const bool *edge_counted, const bool *vertex_counted,
	struct wm_plan *plan)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		count += edge_counted[e];
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		count += vertex_counted[v];

	*plan = (struct wm_plan){.problem = request->problem};
	plan->probes = wm_arena_alloc(arena, count, sizeof *plan->probes);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (edge_counted[e]) {
			plan->probes[plan->probe_count++] = (struct wm_probe){WM_PROBE_EDGE, e};
			plan->cost += request->weight[e];
		}
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (vertex_counted[v]) {
			plan->probes[plan->probe_count++] = (struct wm_probe){WM_PROBE_VERTEX, v};
			plan->cost += request->vertex_weight
					      ? request->vertex_weight[v]
					      : wm_plan_vertex_weight(cfg, request->weight, v);
		}
}

int wm_plan_make(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, struct wm_plan *plan, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	bool *edge_counted = wm_arena_alloc(&scratch, cfg->edge_count, sizeof *edge_counted);
	bool *vertex_counted = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *vertex_counted);
	int status = choose(&scratch, cfg, request, edge_counted, vertex_counted, error);
	if (status == 0)
		wm_plan_fill(arena, cfg, request, edge_counted, vertex_counted, plan);
	wm_arena_reset(&scratch);
	return status;
}
