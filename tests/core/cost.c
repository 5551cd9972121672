/* The cost model: small graphs whose costs follow by hand, and random runs that keep books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/cost_model.h"
#include "support/path_request.h"
#include "support/random_graph.h"

enum { GRAPHS = 5000, MAX_VERTICES = 12, STEPS = 300, ARRAY_LIMIT = 7 };

static const float tolerance = 1e-3f;

struct edge {
	uint32_t from;
	uint32_t to;
	double weight;
};

/* A graph from a list of edges, with vertex 0 as entry and the last one as EXIT. */
struct example {
	struct wm_arena arena;
	struct wm_cfg *cfg;
	double *weight;
	double *vertex_weight;
	uint8_t *place;
	bool *none; /* false for edges and vertices */
};

static struct example build(const struct edge *edges, uint32_t count, uint32_t vertices)
{
	struct example example = {0};
	struct wm_arena *arena = &example.arena;
	uint32_t *from = wm_arena_alloc(arena, count, sizeof *from);
	uint32_t *to = wm_arena_alloc(arena, count, sizeof *to);
	example.weight = wm_arena_alloc(arena, count, sizeof(double));
	example.vertex_weight = wm_arena_alloc(arena, vertices, sizeof(double));
	example.place = wm_arena_alloc(arena, count, sizeof(uint8_t));
	example.none = wm_arena_alloc(arena, count + vertices, sizeof(bool));
	for (uint32_t e = 0; e < count; e++) {
		from[e] = edges[e].from;
		to[e] = edges[e].to;
		example.weight[e] = edges[e].weight;
		example.vertex_weight[from[e]] += edges[e].weight;
	}
	example.cfg = wm_cfg_build(arena, vertices, count, from, to, 0, vertices - 1);
	for (uint32_t e = 0; e < count; e++)
		example.place[e] = (uint8_t)wm_cost_usual_place(example.cfg, e);
	return example;
}

#define BUILD(edges, vertices) build(edges, sizeof(edges) / sizeof *(edges), vertices)

static struct wm_cost_weights weights_of(const struct example *example)
{
	return (struct wm_cost_weights){.cfg = example->cfg,
		.edge = example->weight,
		.vertex = example->vertex_weight,
		.place = example->place};
}

static const struct edge if_then[] = {{0, 1, 30}, {0, 2, 70}, {1, 2, 30}, {2, 3, 100}};

static void test_only_critical_edges_need_a_block(void **state)
{
	(void)state;
	struct example example = BUILD(if_then, 4);
	assert_int_equal(example.place[0], WM_PLACE_IN_BLOCK); /* its target has no other edge in */
	assert_int_equal(example.place[1], WM_PLACE_SPLIT);
	assert_int_equal(example.place[2], WM_PLACE_IN_BLOCK); /* its source no other edge out */
	assert_int_equal(example.place[3], WM_PLACE_IN_BLOCK);
	wm_arena_reset(&example.arena);
}

static void test_a_way_out_inside_a_call_makes_no_edge_critical(void **state)
{
	(void)state;
	const struct edge edges[] = {{0, 1, 50}, {0, 3, 0}, {1, 1, 10}, {1, 2, 50}, {2, 3, 50}};
	struct example example = BUILD(edges, 4);
	assert_int_equal(example.place[0], WM_PLACE_IN_BLOCK);
	assert_int_equal(example.place[2], WM_PLACE_SPLIT);
	wm_arena_reset(&example.arena);
}

static void test_counters_cost_their_executions_and_jumps(void **state)
{
	(void)state;
	struct example example = BUILD(if_then, 4);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_probe probes[] = {{WM_PROBE_EDGE, 1}, {WM_PROBE_VERTEX, 1}};
	struct wm_plan plan = {.probe_count = 2, .probes = probes};
	struct wm_cost cost = wm_cost_of_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.increments, 100, tolerance);
	assert_float_equal(cost.splits, 70, tolerance);
	assert_float_equal(cost.total, 100 + 70 * 0.5, tolerance);
	wm_arena_reset(&example.arena);
}

static void test_a_counter_outside_of_its_loop_costs_the_loops_entries(void **state)
{
	(void)state;
	const struct edge edges[] = {{0, 1, 10}, {1, 1, 990}, {1, 2, 10}, {2, 3, 10}};
	double outside[] = {-1, 10, -1, -1};
	struct example example = BUILD(edges, 4);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_probe probes[] = {{WM_PROBE_EDGE, 1}};
	struct wm_plan plan = {.probe_count = 1, .probes = probes};
	struct wm_cost cost = wm_cost_of_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.total, 990 * 1.5, tolerance);
	weights.outside = outside;
	cost = wm_cost_of_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.increments + cost.splits, 0, tolerance);
	assert_float_equal(cost.total, 10 * 3, tolerance);
	wm_arena_reset(&example.arena);
}

static void test_an_indirect_jump_pays_for_each_probe_on_its_edges(void **state)
{
	(void)state;
	struct example example = BUILD(if_then, 4);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_probe probes[] = {{WM_PROBE_EDGE, 1}};
	struct wm_plan plan = {.probe_count = 1, .probes = probes};
	example.place[1] = WM_PLACE_COMPARED;
	struct wm_cost cost = wm_cost_of_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.total, 100 * (1 + 3), tolerance);
	assert_float_equal(wm_cost_on_edge(WM_PLACE_COMPARED, 70, 100), cost.total, tolerance);
	wm_arena_reset(&example.arena);
}

static struct wm_path_plan plan_paths(
	struct example *example, struct wm_regions_request cuts, uint32_t array_limit, bool at_ends)
{
	struct wm_path_request request = {.cuts = cuts,
		.edge_cost = example->weight,
		.plain_cost = example->weight,
		.vertex_cost = example->vertex_weight,
		.plain_vertex_cost = example->vertex_weight,
		.edge_weight = example->weight,
		.vertex_weight = example->vertex_weight,
		.uncountable = example->none,
		.still = example->none,
		.uncountable_vertex = example->none,
		.at_ends = at_ends,
		.array_limit = array_limit};
	struct wm_path_plan plan;
	struct wm_error error;
	assert_int_equal(
		wm_path_plan_make(&example->arena, example->cfg, &request, &plan, &error), 0);
	return plan;
}

static struct wm_path_plan plan_ends(struct example *example, uint32_t array_limit)
{
	struct wm_regions_request cuts = {.at_loop_entries = true, .max_routes = 1000};
	return plan_paths(example, cuts, array_limit, true);
}

static const struct edge two_diamonds[] = {{0, 1, 70}, {0, 2, 30}, {1, 3, 70}, {2, 3, 30},
	{3, 4, 60}, {3, 5, 40}, {4, 6, 60}, {5, 6, 40}, {6, 7, 100}};

/* Counted at its one end by four histories. The register is set where the first diamond closes and
 * moved on the colder side of the second; 3, 4, 5 and 6 have it. */
static void test_paths_cost_probes_sets_moves_and_room(void **state)
{
	(void)state;
	struct example example = BUILD(two_diamonds, 8);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_path_plan plan = plan_ends(&example, 4);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.increments, 0, tolerance);
	assert_float_equal(cost.by_register, 100, tolerance);
	assert_float_equal(cost.sets, 70 + 30, tolerance);
	assert_float_equal(cost.moves, 40, tolerance);
	assert_float_equal(cost.splits, 0, tolerance);
	assert_float_equal(cost.saves, 100, tolerance);
	assert_float_equal(cost.live, 100 + 60 + 40 + 100, tolerance);
	assert_float_equal(cost.total, 100 + 100 + 40 + 0.6 * 100 + 0.2 * 300, tolerance);
	wm_arena_reset(&example.arena);
}

static void test_what_needs_a_table_costs_a_call(void **state)
{
	(void)state;
	struct example example = BUILD(two_diamonds, 8);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_path_plan plan = plan_ends(&example, 3);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.by_register, 0, tolerance);
	assert_float_equal(cost.table_counts, 100, tolerance);
	assert_float_equal(cost.total, 100 * 24 + 100 + 40 + 0.6 * 100 + 0.2 * 300, tolerance);
	wm_arena_reset(&example.arena);
}

/* Four routes meet where three may: all that is counted there, behind soft edges, has a
 * prehistory, so no probe tests for one. The prehistory is set on both edges to 6, and knows the
 * route there, which the register tells apart in 3, 4 and 5. */
static void test_what_always_has_a_prehistory_costs_no_question(void **state)
{
	(void)state;
	struct example example = BUILD(two_diamonds, 8);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_regions_request cuts = {.max_routes = 3, .max_prehistories = 1000};
	struct wm_path_plan plan = plan_paths(&example, cuts, 3, true);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_true(plan.soft[6] && plan.soft[7]);
	assert_int_equal(plan.probe_count, 1);
	assert_int_equal(plan.counter_count, 1);
	assert_float_equal(cost.prehistory_tests, 0, tolerance);
	assert_float_equal(cost.table_counts, 100, tolerance);
	assert_float_equal(cost.prehistory_sets, 60 + 40, tolerance);
	assert_float_equal(cost.prehistory_routes, 60 + 40, tolerance);
	wm_arena_reset(&example.arena);
}

/* Two routes lead into a loop that iterates nine times for each: a tenth of what is counted in it
 * comes with a prehistory. */
static void test_prehistories_cost_as_often_as_loops_are_entered(void **state)
{
	(void)state;
	const struct edge edges[] = {
		{0, 1, 70}, {0, 2, 30}, {1, 3, 70}, {2, 3, 30}, {3, 3, 900}, {3, 4, 100}};
	struct example example = BUILD(edges, 5);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_regions_request cuts = {.at_loop_entries = true,
		.max_routes = 4,
		.max_routes_into_loop = 1,
		.max_prehistories = 1000};
	struct wm_path_plan plan = plan_paths(&example, cuts, 4, true);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_true(plan.soft[2] && plan.soft[3]);
	assert_float_equal(cost.prehistory_tests, 900 + 100, tolerance);
	assert_float_equal(cost.table_counts, 90 + 10, tolerance);
	assert_float_equal(cost.increments, 810 + 90, tolerance);
	assert_float_equal(wm_cost_of_history(true, 0.25), 2 + 0.25 * 24 + 0.75 + 4, tolerance);
	wm_arena_reset(&example.arena);
}

/* Seven diamonds, the sides of each alike. At the end of the fourth 16 routes meet where 8 may:
 * behind it there always is a prehistory. A count for each of the last three diamonds would take a
 * table for half of all executions three times; at the end of the path it is once, and then nothing
 * before the fourth needs counters. */
static void test_what_tables_count_is_counted_once(void **state)
{
	(void)state;
	enum { DIAMONDS = 7, LAST = 3 * DIAMONDS, SOFT = 12 };
	struct edge edges[4 * DIAMONDS + 1];
	for (uint32_t i = 0; i < DIAMONDS; i++)
		for (uint32_t side = 0; side < 2; side++) {
			uint32_t top = 3 * i, middle = top + 1 + side;
			edges[4 * i + 2 * side] = (struct edge){top, middle, 50};
			edges[4 * i + 2 * side + 1] = (struct edge){middle, top + 3, 50};
		}
	edges[4 * DIAMONDS] = (struct edge){LAST, LAST + 1, 100};
	struct example example = BUILD(edges, LAST + 2);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_regions_request cuts = {.max_routes = 8, .max_prehistories = 1000};
	struct wm_path_plan plan = plan_paths(&example, cuts, 8, false);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	for (uint32_t e = 0; e < 4 * DIAMONDS + 1; e++)
		assert_int_equal(plan.soft[e], edges[e].to == SOFT);
	assert_int_equal(plan.probe_count, 1);
	assert_float_equal(cost.table_counts, 100, tolerance);
	assert_float_equal(cost.increments + cost.by_register, 0, tolerance);
	wm_arena_reset(&example.arena);
}

/* Paths end at the loop's entry, at each iteration and at the end; one route leads to each of
 * these. */
static void test_a_probe_of_paths_with_one_history_may_leave_its_loop(void **state)
{
	(void)state;
	const struct edge edges[] = {{0, 1, 10}, {1, 1, 990}, {1, 2, 10}, {2, 3, 10}};
	double outside[] = {-1, 10, -1, -1};
	struct example example = BUILD(edges, 4);
	struct wm_cost_weights weights = weights_of(&example);
	struct wm_path_plan plan = plan_ends(&example, 4);
	struct wm_cost cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.increments, 10 + 990 + 10, tolerance);
	weights.outside = outside;
	cost = wm_cost_of_path_plan(&example.arena, &plan, &weights);
	assert_float_equal(cost.increments, 10 + 10, tolerance);
	assert_float_equal(cost.total, 10 + 10 + 10 * 3, tolerance);
	wm_arena_reset(&example.arena);
}

/* What a run does to the registers, step by step, by their meaning alone. */
struct books {
	const struct wm_path_plan *plan;
	struct wm_cost_weights weights;
	double *edge;
	double *vertex;
	double counts;
	double sets;
	double moves;
	double prehistory_changes;
	uint64_t route; /* to the vertex */
	uint64_t value; /* of the register */
};

static void enter(struct books *books, uint32_t v, bool again, uint64_t route)
{
	const struct wm_path_plan *plan = books->plan;
	uint64_t value = route - plan->potential[v];
	books->route = route;
	if (!plan->has_register[v])
		return;
	if (again)
		books->sets++;
	else if (value != books->value)
		books->moves++;
	books->value = value;
}

static void take(struct books *books, uint32_t e)
{
	const struct wm_path_plan *plan = books->plan;
	uint32_t u = plan->function->source[e], v = plan->function->target[e];
	bool renumbered = plan->cut[e] || plan->soft[e];
	books->edge[e]++;
	books->counts += plan->histories.probe[e] != WM_HISTORY_NONE;
	if (plan->has_prehistory[v])
		books->prehistory_changes += renumbered || !plan->has_prehistory[u];
	if (v == plan->function->exit)
		return;
	books->vertex[v]++;
	books->counts +=
		plan->histories.probe[wm_split_vertex_edge(plan->function, v)] != WM_HISTORY_NONE;
	enter(books, v, renumbered || !plan->has_register[u],
		renumbered ? 0 : books->route + plan->regions.offset[e]);
}

static void call(struct books *books, struct random_source *source)
{
	const struct wm_cfg *cfg = books->plan->function;
	uint32_t v = cfg->entry;
	books->vertex[v]++;
	books->counts +=
		books->plan->histories.probe[wm_split_vertex_edge(cfg, v)] != WM_HISTORY_NONE;
	enter(books, v, true, 0);
	for (int step = 0; step < STEPS && v != cfg->exit; step++) {
		uint32_t first = cfg->out_start[v], count = cfg->out_start[v + 1] - first;
		if (!count)
			return;
		uint32_t e = cfg->out_edge[first + random_below(source, count)];
		take(books, e);
		v = cfg->target[e];
	}
}

static void check_books(struct wm_arena *arena, struct books *books)
{
	struct wm_cost cost = wm_cost_of_path_plan(arena, books->plan, &books->weights);
	assert_float_equal(
		cost.increments + cost.by_register + cost.table_counts, books->counts, tolerance);
	assert_float_equal(cost.sets, books->sets, tolerance);
	assert_float_equal(cost.moves, books->moves, tolerance);
	assert_float_equal(cost.prehistory_sets, books->prehistory_changes, tolerance);
}

static void check_random_run(struct wm_arena *arena, struct random_source *source)
{
	struct wm_cfg *cfg = random_graph(arena, source, MAX_VERTICES);
	uint32_t edges = cfg->edge_count, vertices = cfg->vertex_count;
	assert_int_equal(cfg->exit, vertices - 1);
	if (cfg->in_start[cfg->entry + 1] - cfg->in_start[cfg->entry] > 1)
		return; /* no function's entry has an edge in but the call */
	bool prehistories = random_below(source, 2);
	struct wm_path_request request = random_path_request(arena, source, cfg);
	request.cuts = (struct wm_regions_request){
		.at_loop_entries = prehistories || random_below(source, 2),
		.max_routes = prehistories ? 1 + random_below(source, 7) : 1000,
		.max_routes_into_loop = random_below(source, 4),
		.max_prehistories = prehistories ? 1000 : 0};
	request.at_ends = random_below(source, 4) == 0;
	request.array_limit = ARRAY_LIMIT;
	struct wm_path_plan plan;
	struct wm_error error;
	assert_int_equal(wm_path_plan_make(arena, cfg, &request, &plan, &error), 0);
	struct books books = {.plan = &plan,
		.edge = wm_arena_alloc(arena, (size_t)edges + 1, sizeof(double)),
		.vertex = wm_arena_alloc(arena, vertices, sizeof(double))};
	books.weights = (struct wm_cost_weights){.cfg = cfg,
		.edge = books.edge,
		.vertex = books.vertex,
		.place = wm_arena_alloc(arena, edges, sizeof(uint8_t))};
	call(&books, source);
	check_books(arena, &books);
}

static void test_random_runs_cost_what_they_do(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(61);
	for (int i = 0; i < GRAPHS; i++) {
		struct wm_arena arena = {0};
		check_random_run(&arena, &source);
		wm_arena_reset(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_critical_edges_need_a_block),
		cmocka_unit_test(test_a_way_out_inside_a_call_makes_no_edge_critical),
		cmocka_unit_test(test_counters_cost_their_executions_and_jumps),
		cmocka_unit_test(test_a_counter_outside_of_its_loop_costs_the_loops_entries),
		cmocka_unit_test(test_an_indirect_jump_pays_for_each_probe_on_its_edges),
		cmocka_unit_test(test_paths_cost_probes_sets_moves_and_room),
		cmocka_unit_test(test_what_needs_a_table_costs_a_call),
		cmocka_unit_test(test_what_always_has_a_prehistory_costs_no_question),
		cmocka_unit_test(test_prehistories_cost_as_often_as_loops_are_entered),
		cmocka_unit_test(test_what_tables_count_is_counted_once),
		cmocka_unit_test(test_a_probe_of_paths_with_one_history_may_leave_its_loop),
		cmocka_unit_test(test_random_runs_cost_what_they_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
