/* Edges and blocks: a counter for each probe of a plan (core/counters/plan.h). */
#include <stdlib.h>

#include "core/counters/plan.h"
#include "llvm/mode/mode.h"
#include "llvm/mode/terms.h"

static enum wm_problem problem_of(struct wm_measure measure)
{
	bool edges = measure.quantity == WM_QUANTITY_EDGES;
	if (measure.placement == WM_PLACEMENT_REDUNDANT)
		return edges ? WM_PROBLEM_REDUNDANT_EDGES : WM_PROBLEM_REDUNDANT;
	if (measure.placement == WM_PLACEMENT_VERTEX)
		return WM_PROBLEM_BLOCKS_VERTEX;
	return edges ? WM_PROBLEM_EDGES : WM_PROBLEM_BLOCKS;
}

struct weighted_probe {
	struct wm_probe probe;
	double weight;
};

static int by_falling_weight(const void *left, const void *right)
{
	const struct weighted_probe *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->probe.kind != b->probe.kind)
		return a->probe.kind < b->probe.kind ? -1 : 1;
	return (a->probe.index > b->probe.index) - (a->probe.index < b->probe.index);
}

/* Counters that run often stand side by side, so that they fill few cache lines. */
static void put_hot_counters_first(const struct wm_subject *subject, struct wm_plan *plan)
{
	struct weighted_probe *order =
		wm_arena_alloc(subject->arena, plan->probe_count, sizeof(*order));
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		struct wm_probe probe = plan->probes[k];
		order[k] = (struct weighted_probe){
			probe, probe.kind == WM_PROBE_EDGE ? subject->edge_weight[probe.index]
							   : subject->vertex_weight[probe.index]};
	}
	qsort(order, plan->probe_count, sizeof(*order), by_falling_weight);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		plan->probes[k] = order[k].probe;
}

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	struct wm_plan *plan = wm_arena_alloc(subject->arena, 1, sizeof *plan);
	struct wm_terms terms = wm_terms_make(subject);
	struct wm_plan_request request = {.problem = problem_of(mode->measure),
		.weight = terms.plain_cost,
		.vertex_weight = terms.plain_vertex_cost,
		.uncountable = terms.uncountable};
	int status = wm_plan_make(subject->arena, subject->capture->cfg, &request, plan, error);
	if (status)
		return status;
	put_hot_counters_first(subject, plan);
	*result = plan;
	return WM_PLAN_MADE;
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *made, uint32_t first, struct wm_function *described)
{
	const struct wm_plan *plan = made;
	struct wm_counters_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	*section = (struct wm_counters_section){.head = {mode->measure, first, plan->probe_count},
		.probe_count = plan->probe_count,
		.probes = plan->probes};
	described->counters = section;
	return plan->probe_count;
}

/* A counter in a return shared by tail calls stands before these calls, on the edges to it. */
static void add_vertex_increment(struct wm_lowerer *lowerer, uint32_t vertex, uint64_t counter)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	if (!wm_capture_is_shared_return(capture, capture->blocks[vertex])) {
		wm_lowerer_count(lowerer, wm_capture_block_start(capture->blocks[vertex]), counter,
			NULL, lowerer->subject->vertex_weight[vertex]);
		return;
	}
	for (uint32_t i = cfg->in_start[vertex]; i < cfg->in_start[vertex + 1]; i++)
		wm_lowerer_count_edge(lowerer, WM_STEP_COUNT, cfg->in_edge[i], counter);
}

static void lower(struct wm_lowerer *lowerer, const void *made)
{
	const struct wm_plan *plan = made;
	const struct wm_iterations **iterations =
		wm_arena_alloc(lowerer->subject->arena, plan->probe_count, sizeof(*iterations));
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (plan->probes[k].kind == WM_PROBE_EDGE)
			iterations[k] = wm_lowerer_ask_iterations(lowerer, plan->probes[k].index);
	wm_lowerer_compute_iterations(lowerer);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		if (iterations[k])
			wm_lowerer_count_iterations(lowerer, iterations[k], k, 1);
		else if (plan->probes[k].kind == WM_PROBE_EDGE)
			wm_lowerer_count_edge(lowerer, WM_STEP_COUNT, plan->probes[k].index, k);
		else
			add_vertex_increment(lowerer, plan->probes[k].index, k);
	}
	lowerer->holds_blocks = lowerer->subject->optimise;
}

const struct wm_mode_functions wm_counters_mode = {plan, describe, lower, NULL};
