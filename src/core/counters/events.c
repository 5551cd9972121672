/* Increments from potentials on the anchored graph. */
#include "core/counters/events.h"

#include <assert.h>
#include <string.h>

#include "core/counters/plan.h"
#include "core/graph/potentials.h"
#include "core/graph/spanning_tree.h"

bool wm_events_is_counted(
	const struct wm_events_request *request, const struct wm_events_plan *plan, uint32_t edge)
{
	for (uint32_t k = 0; k < request->kind_count; k++)
		if (plan->increment[k][edge])
			return true;
	return false;
}

static void add_up_probes(const struct wm_events_request *request, struct wm_events_plan *plan)
{
	for (uint32_t e = 0; e < request->anchored->graph->edge_count; e++)
		if (wm_events_is_counted(request, plan, e)) {
			plan->probe_count++;
			plan->cost += request->weight[e];
		}
}

/* The closing edge, which has no value, is in the tree. */
static void place(struct wm_arena *scratch, const struct wm_events_request *request,
	const bool *in_tree, struct wm_events_plan *plan)
{
	const struct wm_cfg *graph = request->anchored->graph;
	size_t edges = (size_t)graph->edge_count + 1;
	uint64_t *value = wm_arena_alloc(scratch, edges, sizeof *value);
	for (uint32_t k = 0; k < request->kind_count; k++) {
		memcpy(value, request->value[k], graph->edge_count * sizeof *value);
		wm_potentials(scratch, graph, in_tree, value, plan->potential[k]);
		wm_potentials_increments(graph, value, plan->potential[k], plan->increment[k]);
	}
}

static int place_redundantly(const struct wm_events_request *request, struct wm_events_plan *plan,
	struct wm_error *error)
{
	for (uint32_t e = 0; e < request->anchored->graph->edge_count; e++)
		for (uint32_t k = 0; k < request->kind_count; k++) {
			plan->increment[k][e] = request->value[k][e];
			if (plan->increment[k][e] && request->uncountable &&
				request->uncountable[e])
				return wm_error_set(error, WM_ERROR_UNSOLVABLE,
					"edge %u has events but no probe fits there", e);
		}
	return 0;
}

int wm_events_plan_make(struct wm_arena *arena, const struct wm_events_request *request,
	struct wm_events_plan *plan, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	const struct wm_cfg *graph = request->anchored->graph;
	bool *in_tree;
	int status;
	assert(request->kind_count <= WM_MAX_EVENT_KINDS);
	*plan = (struct wm_events_plan){0};
	for (uint32_t k = 0; k < request->kind_count; k++) {
		plan->increment[k] =
			wm_arena_alloc(arena, (size_t)graph->edge_count + 1, sizeof(uint64_t));
		plan->potential[k] = wm_arena_alloc(arena, graph->vertex_count, sizeof(uint64_t));
	}
	if (request->redundant) {
		status = place_redundantly(request, plan, error);
	} else {
		status = wm_spanning_tree(&scratch, graph, request->weight, request->uncountable,
			false, &in_tree, error);
		if (status == 0)
			place(&scratch, request, in_tree, plan);
	}
	if (status == 0)
		add_up_probes(request, plan);
	wm_arena_reset(&scratch);
	return status;
}

static uint64_t distance_from_zero(uint64_t potential)
{
	return (int64_t)potential < 0 ? -potential : potential;
}

/* Inside a segment, its events may have happened without its increment, or the other way round. */
uint64_t wm_events_bound(
	const struct wm_events_request *request, const struct wm_events_plan *plan, uint32_t kind)
{
	const struct wm_cfg *graph = request->anchored->graph;
	uint64_t farthest = 0, largest = 0;
	for (uint32_t v = 0; v < graph->vertex_count; v++) {
		uint64_t distance = distance_from_zero(plan->potential[kind][v]);
		farthest = distance > farthest ? distance : farthest;
	}
	for (uint32_t e = 0; e < graph->edge_count; e++)
		if (request->value[kind][e] > largest)
			largest = request->value[kind][e];
	return farthest + largest;
}

/* The function as the plan for edges sees it. */
struct sketch {
	uint32_t edges;
	uint32_t *source;
	uint32_t *target;
	double *weight;
	bool *uncountable;
};

static void draw(
	struct sketch *sketch, uint32_t source, uint32_t target, double weight, bool uncountable)
{
	sketch->source[sketch->edges] = source;
	sketch->target[sketch->edges] = target;
	sketch->weight[sketch->edges] = weight;
	sketch->uncountable[sketch->edges++] = uncountable;
}

/* Control comes to the entry from a vertex of its own: code jumps to no function's first block, but
 * other graphs may. */
static struct sketch draw_function(struct wm_arena *scratch, const struct wm_cfg *function,
	const uint32_t *anchor_count, const double *edge_weight, double calls)
{
	uint32_t bound = function->edge_count + function->vertex_count + 1;
	struct sketch sketch = {.source = wm_arena_alloc(scratch, bound, sizeof(uint32_t)),
		.target = wm_arena_alloc(scratch, bound, sizeof(uint32_t)),
		.weight = wm_arena_alloc(scratch, bound, sizeof(double)),
		.uncountable = wm_arena_alloc(scratch, bound, sizeof(bool))};
	for (uint32_t e = 0; e < function->edge_count; e++)
		draw(&sketch, function->source[e], function->target[e], edge_weight[e], false);
	draw(&sketch, function->vertex_count, function->entry, calls, false);
	for (uint32_t v = 0; v < function->vertex_count; v++)
		if (anchor_count[v])
			draw(&sketch, v, function->exit, 0, true);
	return sketch;
}

int wm_events_cost_by_edges(const struct wm_cfg *function, const uint32_t *anchor_count,
	const double *edge_weight, const double *vertex_weight, double calls, double *cost,
	struct wm_error *error)
{
	struct wm_arena scratch = {0};
	uint32_t vertices = function->vertex_count;
	struct sketch sketch = draw_function(&scratch, function, anchor_count, edge_weight, calls);
	double *weight = wm_arena_alloc(&scratch, (size_t)vertices + 1, sizeof *weight);
	double further = 0;
	struct wm_plan plan;
	weight[vertices] = calls;
	for (uint32_t v = 0; v < vertices; v++) {
		weight[v] = vertex_weight[v];
		if (anchor_count[v])
			further += vertex_weight[v] * (anchor_count[v] - 1);
	}
	struct wm_plan_request request = {.problem = WM_PROBLEM_EDGES,
		.weight = sketch.weight,
		.uncountable = sketch.uncountable,
		.vertex_weight = weight};
	int status = wm_plan_make(&scratch,
		wm_cfg_build(&scratch, vertices + 1, sketch.edges, sketch.source, sketch.target,
			vertices, function->exit),
		&request, &plan, error);
	if (status == 0)
		*cost = plan.cost + further;
	wm_arena_reset(&scratch);
	return status;
}
