/* Every function is planned again for each tree and weighting, and the counts of the edges and
 * blocks with counters are added up.
 *
 * All plans of edges of a function obey the same rules, so that no placement beats the maximum tree
 * of the exact weights and none is worse than their minimum tree. The rules: no counter where none
 * fits; where counters on edges alone are then not enough, blocks may also carry counters. As in
 * the paper, calls are taken to come back: edges of abandoned calls are left out. Deriving these as
 * well, as the plug-in does, takes some more counters, whatever the tree. */
#include "report/comparison.h"

#include <stdbool.h>

#include "core/counters/plan.h"
#include "core/graph/cfg.h"
#include "core/graph/weights.h"

enum weights { HEURISTIC, GOLDBERG, EXACT, WEIGHTS };

struct weighting {
	double *edge;
	double *block; /* by vertex */
};

/* A function as the planner sees it. */
struct subject {
	const struct wm_cfg *cfg;
	bool *uncountable;
	uint64_t *count; /* by edge */
	struct weighting weights[WEIGHTS];
};

static const struct {
	enum weights weights;
	enum wm_problem problem;
	bool minimum_tree;
} compared[WM_COMPARED_COUNT] = {
	[WM_COMPARED_HEURISTIC_MAXIMUM] = {HEURISTIC, WM_PROBLEM_EDGES, false},
	[WM_COMPARED_HEURISTIC_MINIMUM] = {HEURISTIC, WM_PROBLEM_EDGES, true},
	[WM_COMPARED_EXACT_MAXIMUM] = {EXACT, WM_PROBLEM_EDGES, false},
	[WM_COMPARED_EXACT_MINIMUM] = {EXACT, WM_PROBLEM_EDGES, true},
	[WM_COMPARED_GOLDBERG_MAXIMUM] = {GOLDBERG, WM_PROBLEM_EDGES, false},
	[WM_COMPARED_BLOCKS] = {HEURISTIC, WM_PROBLEM_BLOCKS, false},
	[WM_COMPARED_BLOCKS_VERTEX] = {HEURISTIC, WM_PROBLEM_BLOCKS_VERTEX, false},
};

/* Leaves out the edges of abandoned calls. */
static void take_edges(
	struct wm_arena *arena, const struct wm_profile_function *measured, struct subject *subject)
{
	const struct wm_function *function = measured->function;
	uint32_t *source = wm_arena_alloc(arena, function->edge_count, sizeof *source);
	uint32_t *target = wm_arena_alloc(arena, function->edge_count, sizeof *target);
	uint32_t edges = 0;
	subject->uncountable = wm_arena_alloc(arena, function->edge_count, sizeof(bool));
	subject->count = wm_arena_alloc(arena, function->edge_count, sizeof *subject->count);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		if (function->edge_flags[e] & WM_EDGE_ABANDONED)
			continue;
		source[edges] = function->edge_source[e];
		target[edges] = function->edge_target[e];
		subject->uncountable[edges] = function->edge_flags[e] & WM_EDGE_UNCOUNTABLE;
		subject->count[edges] = measured->edge[e];
		edges++;
	}
	subject->cfg = wm_cfg_build(
		arena, function->block_count + 1, edges, source, target, 0, function->block_count);
}

static struct weighting make_weighting(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	return (struct weighting){.edge = wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		.block = wm_arena_alloc(arena, cfg->vertex_count, sizeof(double))};
}

static void weigh_by_shape(struct wm_arena *arena, struct subject *subject, enum weights weights,
	void (*weigh)(const struct wm_cfg *cfg, double *weight))
{
	const struct wm_cfg *cfg = subject->cfg;
	struct weighting *weighting = &subject->weights[weights];
	*weighting = make_weighting(arena, cfg);
	weigh(cfg, weighting->edge);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		weighting->block[v] = wm_plan_vertex_weight(cfg, weighting->edge, v);
}

/* A derived count may be too small and then lies just below zero, modulo 2^64. */
static void weigh_by_counts(
	struct wm_arena *arena, const uint64_t *block_count, struct subject *subject)
{
	const struct wm_cfg *cfg = subject->cfg;
	struct weighting *weighting = &subject->weights[EXACT];
	*weighting = make_weighting(arena, cfg);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		weighting->edge[e] = (double)(int64_t)subject->count[e];
	for (uint32_t v = 0; v < cfg->exit; v++)
		weighting->block[v] = (double)(int64_t)block_count[v];
}

static uint64_t sum_counters(
	const struct subject *subject, const uint64_t *block_count, const struct wm_plan *plan)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		sum += probe->kind == WM_PROBE_EDGE ? subject->count[probe->index]
						    : block_count[probe->index];
	}
	return sum;
}

/* Adds the function to all sums; false if such counters cannot determine its edges. */
static bool add_function(struct wm_arena *arena, const struct wm_profile_function *measured,
	const struct subject *subject, bool blocks_too, struct wm_comparison *comparison)
{
	uint64_t increments[WM_COMPARED_COUNT];
	for (unsigned i = 0; i < WM_COMPARED_COUNT; i++) {
		const struct weighting *weighting = &subject->weights[compared[i].weights];
		const struct wm_plan_request request = {.problem = compared[i].problem,
			.weight = weighting->edge,
			.vertex_weight = blocks_too ? weighting->block : NULL,
			.uncountable = subject->uncountable,
			.minimum_tree = compared[i].minimum_tree};
		struct wm_plan plan;
		struct wm_error reason;
		if (wm_plan_make(arena, subject->cfg, &request, &plan, &reason) < 0)
			return false;
		increments[i] = sum_counters(subject, measured->block, &plan);
	}
	for (unsigned i = 0; i < WM_COMPARED_COUNT; i++)
		comparison->increments[i] += increments[i];
	comparison->redundant += measured->block_entries;
	comparison->functions++;
	return true;
}

static void compare_function(
	const struct wm_profile_function *measured, struct wm_comparison *comparison)
{
	struct wm_arena arena = {0};
	struct subject subject;
	take_edges(&arena, measured, &subject);
	weigh_by_shape(&arena, &subject, HEURISTIC, wm_weights_heuristic);
	weigh_by_shape(&arena, &subject, GOLDBERG, wm_weights_goldberg);
	weigh_by_counts(&arena, measured->block, &subject);
	if (!add_function(&arena, measured, &subject, false, comparison) &&
		!add_function(&arena, measured, &subject, true, comparison))
		comparison->left_out++;
	wm_arena_reset(&arena);
}

int wm_comparison_make(
	const struct wm_profile *profile, struct wm_comparison *comparison, struct wm_error *error)
{
	*comparison = (struct wm_comparison){.functions = 0};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *measured = &profile->functions[i];
		if (measured->block_entries == 0)
			continue;
		if (!measured->edge)
			return wm_error_set(error, WM_ERROR_INPUT,
				"%s: the counters of function '%.200s' determine blocks only; "
				"build with --profile=edges",
				profile->file.path, measured->function->name);
		compare_function(measured, comparison);
	}
	return 0;
}
