/* Runs the graphs in tests/vectors: each says what placements cost and how many counters they have,
 * in attributes such as expect_edges="62 6". Weights are those of the file if it has them, else the
 * heuristic's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/graph/weights.h"
#include "core/trace/witness_codes.h"
#include "graph/graph.h"

static const struct expectation {
	const char *attribute;
	enum wm_problem problem;
} expectations[] = {
	{"expect_edges", WM_PROBLEM_EDGES},
	{"expect_blocks", WM_PROBLEM_BLOCKS},
	{"expect_blocks_vertex", WM_PROBLEM_BLOCKS_VERTEX},
};

static void check_plan(struct wm_arena *arena, const struct wm_graph *graph,
	enum wm_problem problem, const char *expected)
{
	double cost;
	unsigned counters;
	assert_int_equal(sscanf(expected, "%lf %u", &cost, &counters), 2);
	if (graph->unweighted_edge < graph->cfg->edge_count)
		wm_weights_heuristic(graph->cfg, graph->weight);
	struct wm_plan_request request = {.problem = problem, .weight = graph->weight};
	struct wm_plan plan;
	struct wm_error error;
	assert_int_equal(wm_plan_make(arena, graph->cfg, &request, &plan, &error), 0);
	if (fabs(plan.cost - cost) > 1e-9)
		fail_msg("%s costs %.10g, not %.10g", wm_problem_name(problem), plan.cost, cost);
	assert_int_equal(plan.probe_count, counters);
}

/* expect_trace="12 4 4": what the witnesses cost, how many they are, and how many codes they need.
 */
static void check_trace(struct wm_arena *arena, const struct wm_graph *graph, const char *expected)
{
	const struct wm_cfg *cfg = graph->cfg;
	struct wm_trace_problem problem = {
		.cfg = cfg, .weight = graph->weight, .predicate = wm_trace_predicates(arena, cfg)};
	bool *stop = wm_arena_alloc(arena, cfg->vertex_count, sizeof *stop), *witness;
	double cost, found_cost = 0;
	unsigned count, codes, found_count = 0;
	struct wm_witness_codes made;
	struct wm_error error;
	assert_int_equal(sscanf(expected, "%lf %u %u", &cost, &count, &codes), 3);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		stop[v] = v == cfg->exit || wm_graph_vertex_attribute(graph, v, "call");
	problem.stop = stop;
	assert_int_equal(wm_witnesses_place(arena, &problem, &witness, &error), 0);
	assert_int_equal(wm_witness_codes_make(arena, &problem, witness, &made, &error), 0);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (witness[e]) {
			found_cost += graph->weight[e];
			found_count++;
		}
	assert_true(found_cost == cost);
	assert_int_equal(found_count, count);
	assert_int_equal(made.max_code, codes);
}

static unsigned check_vector(const char *path)
{
	struct wm_arena arena = {0};
	struct wm_error error = {""};
	struct wm_graph graph;
	unsigned checked = 0;
	print_message("%s\n", path);
	wm_graph_read(&arena, path, &graph, &error);
	assert_string_equal(error.text, "");
	for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
		const char *expected = wm_graph_attribute(&graph, expectations[i].attribute);
		if (!expected)
			continue;
		check_plan(&arena, &graph, expectations[i].problem, expected);
		checked++;
	}
	if (wm_graph_attribute(&graph, "expect_trace")) {
		check_trace(&arena, &graph, wm_graph_attribute(&graph, "expect_trace"));
		checked++;
	}
	wm_graph_close(&graph);
	wm_arena_reset(&arena);
	return checked;
}

static void every_vector_gives_its_numbers(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob(WM_VECTOR_FOLDER "/*.dot", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 14);
	for (size_t i = 0; i < found.gl_pathc; i++)
		assert_true(check_vector(found.gl_pathv[i]) > 0);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_gives_its_numbers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
