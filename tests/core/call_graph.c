/* What is made of calling context trees: trees by functions alone, call graphs with exact costs,
 * and what gprof would say; against random trees of calls, of which every sum is taken again call
 * by call. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/contexts/apportion.h"
#include "core/contexts/by_function.h"
#include "core/base/none.h"
#include "support/call_tree.h"

enum { ROUNDS = 5000, OUTSIDE = MAX_FUNCTIONS };

struct example {
	struct wm_arena arena;
	struct call_tree calls;
	uint32_t record[MAX_CALLS];
	struct wm_contexts contexts;
	const uint64_t *own;
	struct wm_call_graph graph;
	const double *given;
};

static void make(struct example *example, uint32_t function_count)
{
	struct wm_arena *arena = &example->arena;
	example->contexts = follow_calls(arena, &example->calls, example->record);
	example->own = wm_contexts_entries(arena, &example->contexts);
	example->graph =
		wm_call_graph_make(arena, &example->contexts, example->own, function_count);
	example->given = wm_call_graph_apportion(
		arena, &example->graph, &example->contexts, example->own, function_count);
}

/* The tree by functions of a tree by sites is that of the calls without their sites. */
static void check_merged(struct example *example)
{
	struct call_tree bare = example->calls;
	uint32_t record[MAX_CALLS];
	for (uint32_t i = 0; i < bare.count; i++)
		if (bare.parent[i] != WM_NONE)
			bare.site[i] = 0;
	const struct wm_contexts expected = follow_calls(&example->arena, &bare, record);
	const struct wm_contexts_by_function merged =
		wm_contexts_merge_sites(&example->arena, &example->contexts);
	const uint64_t *entries = wm_contexts_entries(&example->arena, &expected);
	const uint64_t *sums = wm_contexts_merge_figures(
		&example->arena, &example->contexts, &merged, example->own);
	assert_int_equal(merged.contexts.record_count, expected.record_count);
	assert_int_equal(merged.contexts.link_count, expected.link_count);
	for (uint32_t i = 0; i < bare.count; i++)
		assert_int_equal(sums[merged.record_of[example->record[i]]], entries[record[i]]);
	assert_memory_equal(wm_contexts_entries(&example->arena, &merged.contexts), sums,
		expected.record_count * sizeof *sums);
}

static uint32_t caller_of(const struct call_tree *calls, uint32_t call)
{
	return calls->parent[call] == WM_NONE ? OUTSIDE : calls->function[calls->parent[call]];
}

/* By caller and callee: whether the first reaches the second by calls. */
struct reach {
	bool from[OUTSIDE + 1][OUTSIDE + 1];
};

static struct reach find_reach(const struct call_tree *calls)
{
	struct reach reach = {0};
	for (uint32_t i = 0; i < calls->count; i++)
		reach.from[caller_of(calls, i)][calls->function[i]] = true;
	for (uint32_t k = 0; k <= OUTSIDE; k++)
		for (uint32_t i = 0; i <= OUTSIDE; i++)
			for (uint32_t j = 0; j <= OUTSIDE; j++)
				reach.from[i][j] |= reach.from[i][k] && reach.from[k][j];
	return reach;
}

static uint32_t number_of(uint32_t caller)
{
	return caller == WM_NONE ? OUTSIDE : caller;
}

static void check_cycles(const struct example *example)
{
	const struct reach reach = find_reach(&example->calls);
	const uint32_t *cycle = example->graph.cycle;
	for (uint32_t i = 0; i < example->graph.arc_count; i++) {
		uint32_t caller = number_of(example->graph.arcs[i].caller);
		uint32_t callee = example->graph.arcs[i].callee;
		assert_int_equal(cycle[caller] == cycle[callee], reach.from[callee][caller]);
		assert_true(cycle[callee] <= cycle[caller]);
	}
	for (uint32_t i = 0; i < OUTSIDE; i++)
		for (uint32_t k = 0; k < i; k++)
			assert_int_equal(
				cycle[i] == cycle[k], reach.from[i][k] && reach.from[k][i]);
}

/* Every call costs 1: those below a call of this pair, each once. */
static uint64_t cost_of(const struct call_tree *calls, uint32_t caller, uint32_t callee)
{
	uint64_t cost = 0;
	for (uint32_t i = 0; i < calls->count; i++) {
		uint32_t at = i;
		while (at != WM_NONE &&
			(calls->function[at] != callee || caller_of(calls, at) != caller))
			at = calls->parent[at];
		cost += at != WM_NONE;
	}
	return cost;
}

static uint32_t check_arcs(const struct example *example)
{
	const struct call_tree *calls = &example->calls;
	uint64_t made = 0;
	uint32_t outer = 0;
	for (uint32_t i = 0; i < example->graph.arc_count; i++) {
		const struct wm_context_arc *arc = &example->graph.arcs[i];
		uint64_t expected = 0;
		for (uint32_t k = 0; k < calls->count; k++)
			expected += caller_of(calls, k) == number_of(arc->caller) &&
				    calls->function[k] == arc->callee;
		assert_int_equal(arc->calls, expected);
		made += expected;
		if (wm_call_graph_is_inner(&example->graph, i, MAX_FUNCTIONS))
			continue;
		outer++;
		assert_int_equal(arc->cost, cost_of(calls, number_of(arc->caller), arc->callee));
	}
	assert_int_equal(made, calls->count);
	return outer;
}

/* What gprof gives to the calls from outside is everything. */
static void check_total(const struct example *example)
{
	double all = 0;
	for (uint32_t i = 0; i < example->graph.arc_count; i++)
		if (example->graph.arcs[i].caller == WM_NONE)
			all += example->given[i];
	assert_true(fabs(all - example->calls.count) < 1e-6);
}

/* Without recursion, callees have greater numbers: from the last to the first, a function costs its
 * calls and its part of each callee. */
static void check_gprof(const struct example *example)
{
	const struct call_tree *calls = &example->calls;
	double total[MAX_FUNCTIONS] = {0}, entered[MAX_FUNCTIONS] = {0};
	for (uint32_t i = 0; i < calls->count; i++)
		entered[calls->function[i]]++;
	for (uint32_t f = MAX_FUNCTIONS; f-- > 0;) {
		total[f] = entered[f];
		for (uint32_t i = 0; i < calls->count; i++)
			if (caller_of(calls, i) == f)
				total[f] += total[calls->function[i]] / entered[calls->function[i]];
	}
	for (uint32_t i = 0; i < example->graph.arc_count; i++) {
		const struct wm_context_arc *arc = &example->graph.arcs[i];
		double expected = total[arc->callee] * (double)arc->calls / entered[arc->callee];
		assert_true(fabs(example->given[i] - expected) < 1e-6);
	}
}

static void random_trees(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(303);
	uint32_t outer = 0;
	for (int round = 0; round < ROUNDS; round++) {
		bool recursive = round % 2;
		struct example example = {.calls = make_random_calls(&source, recursive)};
		make(&example, MAX_FUNCTIONS);
		check_merged(&example);
		check_cycles(&example);
		outer += check_arcs(&example);
		check_total(&example);
		if (!recursive)
			check_gprof(&example);
		wm_arena_reset(&example.arena);
	}
	assert_true(outer > ROUNDS);
}

static uint32_t find_arc(const struct wm_call_graph *graph, char caller, char callee)
{
	uint32_t i = 0;
	while (graph->arcs[i].caller != (uint32_t)(caller - 'A') ||
		graph->arcs[i].callee != (uint32_t)(callee - 'A'))
		i++;
	return i;
}

/* C costs 9 below A and 1 below D, and each calls it once. */
static void gprof_divides_by_calls(void **state)
{
	(void)state;
	struct example example = {.calls = parse_calls("M(A(C(EEEEEEEE))D(C))")};
	make(&example, 'M' - 'A' + 1);
	uint32_t a = find_arc(&example.graph, 'A', 'C'), d = find_arc(&example.graph, 'D', 'C');
	assert_int_equal(example.graph.arcs[a].cost, 9);
	assert_int_equal(example.graph.arcs[d].cost, 1);
	assert_true(fabs(example.given[a] - 5) < 1e-9);
	assert_true(fabs(example.given[d] - 5) < 1e-9);
	wm_arena_reset(&example.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gprof_divides_by_calls),
		cmocka_unit_test(random_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
