/* A million edges: planned and propagated without recursion, without quadratic time and in bounded
 * memory. A shape that took quadratic time would not end within the test's time limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "core/counters/plan.h"
#include "core/counters/propagate.h"
#include "core/graph/weights.h"
#include "support/dominators.h"
#include "support/random_graph.h"

enum { EDGES = 1000000, PROBLEMS = 5 };

#if defined(__SANITIZE_ADDRESS__)
enum { MEMORY_IS_MEASURED = 0 };
#else
enum { MEMORY_IS_MEASURED = 1 };
#endif

struct shape {
	struct wm_arena arena;
	uint32_t *source;
	uint32_t *target;
	uint32_t edges;
};

static void add(struct shape *shape, uint32_t source, uint32_t target)
{
	shape->source[shape->edges] = source;
	shape->target[shape->edges++] = target;
}

static struct shape new_shape(void)
{
	struct shape shape = {.edges = 0};
	shape.source = wm_arena_alloc(&shape.arena, EDGES, sizeof *shape.source);
	shape.target = wm_arena_alloc(&shape.arena, EDGES, sizeof *shape.target);
	return shape;
}

/* A flow that obeys the law at every vertex: one activation that never stops for EDGES steps, and
 * is left early where it is then. */
static void recover_one_walk(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan *plan, struct walk_counts *real)
{
	uint64_t *counter = wm_arena_alloc(arena, plan->probe_count, sizeof *counter);
	struct wm_counts counts;
	struct wm_error error;
	for (uint32_t k = 0; k < plan->probe_count; k++)
		counter[k] = (plan->probes[k].kind == WM_PROBE_EDGE
				      ? real->edge
				      : real->vertex)[plan->probes[k].index];
	assert_int_equal(wm_propagate(arena, cfg, plan->probes, plan->probe_count, counter,
				 real->left_early, &counts, &error),
		0);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (v != cfg->exit || counts.exit_known)
			assert_true(counts.vertex[v] == real->vertex[v]);
	for (uint32_t e = 0; counts.edges_known && e <= cfg->edge_count; e++)
		assert_true(counts.edge[e] == real->edge[e]);
}

static struct walk_counts long_walk(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	struct random_source random = random_from_seed(11);
	struct walk_counts real = {
		.edge = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof(uint64_t)),
		.vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint64_t)),
		.left_early = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint64_t)),
	};
	uint32_t v = cfg->exit;
	for (uint32_t step = 0; step < EDGES; step++) {
		uint32_t choices = cfg->out_start[v + 1] - cfg->out_start[v];
		if (!choices)
			break;
		uint32_t e = cfg->out_edge[cfg->out_start[v] + random_below(&random, choices)];
		real.vertex[v]++;
		real.edge[e]++;
		v = cfg->target[e];
	}
	if (v != cfg->exit) {
		real.vertex[v]++;
		real.left_early[v]++;
	}
	return real;
}

static void check_shape(struct shape *shape, uint32_t vertices, const char *name)
{
	struct wm_cfg *cfg = wm_cfg_build(&shape->arena, vertices, shape->edges, shape->source,
		shape->target, 0, vertices - 1);
	double *weight = wm_arena_alloc(&shape->arena, shape->edges, sizeof *weight);
	struct walk_counts real = long_walk(&shape->arena, cfg);
	clock_t start = clock();
	struct wm_arena scratch = {0};
	wm_weights_heuristic(cfg, weight);
	wm_arena_reset(&scratch);
	for (int problem = 0; problem < PROBLEMS; problem++) {
		struct wm_plan plan;
		struct wm_error error;
		struct wm_plan_request request = {.problem = problem, .weight = weight};
		assert_int_equal(wm_plan_make(&scratch, cfg, &request, &plan, &error), 0);
		recover_one_walk(&scratch, cfg, &plan, &real);
		if (problem == WM_PROBLEM_EDGES)
			print_message("%s: weighed, planned and propagated in %.2f s\n", name,
				(double)(clock() - start) / CLOCKS_PER_SEC);
		wm_arena_reset(&scratch);
	}
	struct wm_depth_first order = wm_depth_first_search(&scratch, cfg);
	wm_dominators_find(&scratch, cfg, &order);
	wm_arena_reset(&scratch);
	wm_arena_reset(&shape->arena);
}

static void random_graph_of_a_million_edges(void **state)
{
	(void)state;
	enum { VERTICES = 400000 };
	struct shape shape = new_shape();
	struct random_source random = random_from_seed(5);
	for (uint32_t v = 1; v < VERTICES; v++)
		add(&shape, random_below(&random, v), v);
	while (shape.edges < EDGES)
		add(&shape, random_below(&random, VERTICES - 1), random_below(&random, VERTICES));
	check_shape(&shape, VERTICES, "random");
}

/* Entry of loop k at k; its back edge comes from vertex 2n-k; every back vertex may leave all
 * loops. */
static void loops_nested_a_quarter_of_a_million_deep(void **state)
{
	(void)state;
	enum { DEPTH = 250000, EXIT = 2 * DEPTH };
	struct shape shape = new_shape();
	for (uint32_t v = 0; v + 1 < EXIT; v++)
		add(&shape, v, v + 1);
	for (uint32_t k = 0; k < DEPTH; k++)
		add(&shape, EXIT - 1 - k, k);
	for (uint32_t k = 0; k < DEPTH; k++)
		add(&shape, EXIT - 1 - k, EXIT);
	check_shape(&shape, EXIT + 1, "nested loops");
}

/* A ladder: two chains with edges across in both directions, so no loop has a single way in. */
static void irreducible_ladder(void **state)
{
	(void)state;
	enum { RUNGS = 240000, EXIT = 2 * RUNGS };
	struct shape shape = new_shape();
	for (uint32_t k = 0; k + 1 < RUNGS; k++) {
		add(&shape, 2 * k, 2 * k + 2);
		add(&shape, 2 * k + 1, 2 * k + 3);
		add(&shape, 2 * k, 2 * k + 1);
		add(&shape, 2 * k + 3, 2 * k);
	}
	add(&shape, EXIT - 2, EXIT);
	add(&shape, EXIT - 1, EXIT);
	check_shape(&shape, EXIT + 1, "irreducible ladder");
}

static void switch_with_a_million_parallel_edges(void **state)
{
	(void)state;
	struct shape shape = new_shape();
	while (shape.edges + 2 < EDGES)
		add(&shape, 0, 1);
	add(&shape, 1, 0);
	add(&shape, 1, 2);
	check_shape(&shape, 3, "parallel edges");
}

static void memory_stays_below_500_megabytes(void **state)
{
	(void)state;
	struct rusage usage;
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	print_message("at most %ld MB were in use\n", usage.ru_maxrss / 1024);
	if (MEMORY_IS_MEASURED)
		assert_true(usage.ru_maxrss < 500 * 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graph_of_a_million_edges),
		cmocka_unit_test(loops_nested_a_quarter_of_a_million_deep),
		cmocka_unit_test(irreducible_ladder),
		cmocka_unit_test(switch_with_a_million_parallel_edges),
		cmocka_unit_test(memory_stays_below_500_megabytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
