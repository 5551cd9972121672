/* Plans, propagation, potentials and the exhaustive search on small graphs worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/counters/plan.h"
#include "core/counters/propagate.h"
#include "core/graph/potentials.h"
#include "core/graph/spanning_tree.h"
#include "support/exhaustive.h"
#include "support/random_graph.h"

/* 0 -> 1 or 2 -> 3 = EXIT: edges 0->1, 0->2, 1->3, 2->3. */
static const uint32_t diamond_source[] = {0, 0, 1, 2};
static const uint32_t diamond_target[] = {1, 2, 3, 3};
static const double even[] = {1, 1, 1, 1};

static struct wm_cfg *make_diamond(struct wm_arena *arena)
{
	return wm_cfg_build(arena, 4, 4, diamond_source, diamond_target, 0, 3);
}

static void names_of_problems_differ(void **state)
{
	(void)state;
	for (int one = 0; one < WM_PROBLEM_COUNT; one++)
		for (int other = 0; other < one; other++)
			assert_string_not_equal(wm_problem_name(one), wm_problem_name(other));
}

static void adjacency_lists_every_edge_once_in_order(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_cfg *cfg = make_diamond(&arena);
	const uint32_t out_start[] = {0, 2, 3, 4, 5};
	const uint32_t out_edge[] = {0, 1, 2, 3, 4};
	const uint32_t out_target[] = {1, 2, 3, 3, 0};
	const uint32_t in_start[] = {0, 1, 2, 3, 5};
	const uint32_t in_edge[] = {4, 0, 1, 2, 3};
	assert_memory_equal(cfg->out_start, out_start, sizeof out_start);
	assert_memory_equal(cfg->out_edge, out_edge, sizeof out_edge);
	assert_memory_equal(cfg->out_target, out_target, sizeof out_target);
	assert_memory_equal(cfg->in_start, in_start, sizeof in_start);
	assert_memory_equal(cfg->in_edge, in_edge, sizeof in_edge);
	wm_arena_reset(&arena);
}

static void arena_memory_is_zeroed_aligned_and_apart(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	/* The second round gets memory that the first has written to. */
	for (int round = 0; round < 2; round++) {
		unsigned char *last = NULL;
		for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 / 2 + 1) {
			unsigned char *unset = wm_arena_alloc_unset(&arena, bytes, 1);
			memset(unset, 0x5a, bytes);
			unsigned char *memory = wm_arena_alloc(&arena, bytes, 1);
			assert_int_equal((uintptr_t)memory % sizeof(void *), 0);
			for (size_t i = 0; i < bytes; i++)
				assert_int_equal(memory[i], 0);
			memset(memory, 0xa5, bytes);
			assert_true(unset[0] == 0x5a && unset[bytes - 1] == 0x5a);
			assert_true(!last || *last == 0xa5);
			last = memory;
		}
		assert_string_equal(wm_arena_copy_text(&arena, "text"), "text");
		wm_arena_reset(&arena);
		assert_null(arena.chunk);
	}
}

static void left_early_flows_to_exit(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_cfg *cfg = make_diamond(&arena);
	/* Ten activations: six through 1, of which two end there; four through 2. */
	const struct wm_probe probes[] = {{WM_PROBE_EDGE, 0}, {WM_PROBE_EDGE, 3}};
	const uint64_t counter[] = {6, 4};
	const uint64_t left_early[] = {0, 2, 0, 0};
	const uint64_t edge[] = {6, 4, 4, 4, 10};
	const uint64_t vertex[] = {10, 6, 4, 10};
	struct wm_counts counts;
	struct wm_error error;
	assert_int_equal(
		wm_propagate(&arena, cfg, probes, 2, counter, left_early, &counts, &error), 0);
	assert_true(counts.edges_known);
	assert_memory_equal(counts.edge, edge, sizeof edge);
	assert_memory_equal(counts.vertex, vertex, sizeof vertex);
	wm_arena_reset(&arena);
}

static void too_few_counters_are_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_cfg *cfg = make_diamond(&arena);
	const struct wm_probe probe = {WM_PROBE_EDGE, 0};
	const uint64_t counter = 6;
	struct wm_counts counts;
	struct wm_error error;
	assert_int_equal(wm_propagate(&arena, cfg, &probe, 1, &counter, NULL, &counts, &error),
		WM_ERROR_UNSOLVABLE);
	assert_int_equal(wm_propagate(&arena, cfg, NULL, 0, NULL, NULL, &counts, &error),
		WM_ERROR_UNSOLVABLE);
	wm_arena_reset(&arena);
}

static void probes_outside_the_graph_are_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_cfg *cfg = make_diamond(&arena);
	const uint64_t counter = 6;
	const struct wm_probe probes[] = {
		{WM_PROBE_EDGE, 4}, {WM_PROBE_VERTEX, 4}, {WM_PROBE_EDGE, UINT32_MAX}};
	struct wm_counts counts;
	struct wm_error error;
	for (int i = 0; i < 3; i++)
		assert_int_equal(
			wm_propagate(&arena, cfg, &probes[i], 1, &counter, NULL, &counts, &error),
			WM_ERROR_INPUT);
	wm_arena_reset(&arena);
}

/* 0 -> 0, 0 -> EXIT: a counter in 0 cannot tell one call of many rounds from many calls of one. */
static void vertex_counters_may_leave_exit_unknown(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	const uint32_t source[] = {0, 0};
	const uint32_t target[] = {0, 1};
	struct wm_cfg *cfg = wm_cfg_build(&arena, 2, 2, source, target, 0, 1);
	const struct wm_probe probe = {WM_PROBE_VERTEX, 0};
	const uint64_t counter = 7;
	struct wm_counts counts;
	struct wm_error error;
	assert_int_equal(wm_propagate(&arena, cfg, &probe, 1, &counter, NULL, &counts, &error), 0);
	assert_int_equal(counts.vertex[0], 7);
	assert_false(counts.exit_known);
	assert_false(counts.edges_known);
	wm_arena_reset(&arena);
}

static int plan_diamond(enum wm_problem problem, const bool *uncountable, struct wm_plan *plan)
{
	static struct wm_arena arena;
	wm_arena_reset(&arena);
	struct wm_error error;
	struct wm_plan_request request = {
		.problem = problem, .weight = even, .uncountable = uncountable};
	return wm_plan_make(&arena, make_diamond(&arena), &request, plan, &error);
}

static void uncountable_edges_go_into_the_tree(void **state)
{
	(void)state;
	struct wm_plan plan;
	const bool one_way[] = {true, false, true, false};
	const bool both_ways[] = {true, true, true, true};
	assert_int_equal(plan_diamond(WM_PROBLEM_EDGES, one_way, &plan), WM_ERROR_UNSOLVABLE);
	const bool first_two[] = {true, true, false, false};
	assert_int_equal(plan_diamond(WM_PROBLEM_EDGES, first_two, &plan), 0);
	assert_int_equal(plan.probe_count, 2);
	assert_int_equal(plan.probes[0].index, 2);
	assert_int_equal(plan.probes[1].index, 3);
	assert_int_equal(plan_diamond(WM_PROBLEM_BLOCKS, both_ways, &plan), WM_ERROR_UNSOLVABLE);
	assert_int_equal(plan_diamond(WM_PROBLEM_BLOCKS_VERTEX, both_ways, &plan), 0);
}

static void exhaustive_search_refuses_what_it_cannot_search(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	enum { EDGES = WM_EXHAUSTIVE_LIMIT + 1 };
	uint32_t source[EDGES] = {0};
	uint32_t target[EDGES];
	double weight[EDGES] = {0};
	for (int e = 0; e < EDGES; e++)
		target[e] = 1;
	struct wm_plan plan;
	struct wm_error error;
	struct wm_cfg *cfg = wm_cfg_build(&arena, 2, EDGES, source, target, 0, 1);
	struct wm_plan_request request = {.problem = WM_PROBLEM_BLOCKS, .weight = weight};
	assert_int_equal(wm_exhaustive_plan(&arena, cfg, &request, &plan, &error), WM_ERROR_INPUT);
	request.problem = WM_PROBLEM_REDUNDANT;
	assert_int_equal(wm_exhaustive_plan(&arena, cfg, &request, &plan, &error), WM_ERROR_INPUT);
	wm_arena_reset(&arena);
}

/* On every walk from the entry the increments plus the potential make up the values. */
static void potentials_keep_the_sum_of_every_walk(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct wm_arena arena = {0};
		struct random_source random = random_from_seed(seed);
		struct wm_cfg *cfg = random_graph(&arena, &random, 12);
		double weight[64] = {0};
		uint64_t value[64], potential[12], increment[64];
		bool *in_tree;
		struct wm_error error;
		for (uint32_t e = 0; e <= cfg->edge_count; e++)
			value[e] = random_below(&random, 1000);
		assert_int_equal(
			wm_spanning_tree(&arena, cfg, weight, NULL, false, &in_tree, &error), 0);
		wm_potentials(&arena, cfg, in_tree, value, potential);
		wm_potentials_increments(cfg, value, potential, increment);
		uint64_t values = 0, increments = 0;
		uint32_t v = cfg->entry;
		for (int step = 0; step < 50 && cfg->out_start[v] < cfg->out_start[v + 1]; step++) {
			uint32_t choices = cfg->out_start[v + 1] - cfg->out_start[v];
			uint32_t e =
				cfg->out_edge[cfg->out_start[v] + random_below(&random, choices)];
			values += value[e];
			increments += increment[e];
			v = cfg->target[e];
			assert_true(increments + potential[v] == values);
		}
		for (uint32_t e = 0; e <= cfg->edge_count; e++)
			assert_true(!in_tree[e] || increment[e] == 0);
		wm_arena_reset(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_problems_differ),
		cmocka_unit_test(adjacency_lists_every_edge_once_in_order),
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(left_early_flows_to_exit),
		cmocka_unit_test(too_few_counters_are_refused),
		cmocka_unit_test(probes_outside_the_graph_are_refused),
		cmocka_unit_test(vertex_counters_may_leave_exit_unknown),
		cmocka_unit_test(uncountable_edges_go_into_the_tree),
		cmocka_unit_test(exhaustive_search_refuses_what_it_cannot_search),
		cmocka_unit_test(potentials_keep_the_sum_of_every_walk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
