/* Plans for paths on random graphs: a random run carries the register as the lowered code would,
 * and wherever a probe counts by history, register and potential give that history. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/path_request.h"

enum { GRAPHS = 10000, MAX_VERTICES = 12, STEPS = 400, ARRAY_LIMIT = 7 };

/* One edge on which the register cannot change, if any: one is no cycle. */
static bool *random_still_edge(struct wm_arena *arena, struct random_source *source,
	const struct wm_cfg *cfg, bool *no_prehistory)
{
	bool *still = wm_arena_alloc(arena, cfg->edge_count, sizeof *still);
	if (cfg->edge_count && random_below(source, 2)) {
		uint32_t e = random_below(source, cfg->edge_count);
		still[e] = cfg->source[e] != cfg->target[e] && cfg->source[e] != cfg->exit;
		no_prehistory[cfg->target[e]] = still[e];
	}
	return still;
}

static bool counts_by_history(const struct wm_path_plan *plan, uint32_t split_edge)
{
	return plan->histories.probe[split_edge] == WM_HISTORY_COUNTED;
}

struct walker {
	const struct wm_path_plan *plan;
	const bool *still;
	struct random_source *source;
	uint64_t history;
	uint64_t value;	     /* of the register */
	uint64_t prehistory; /* of the other one */
};

static void check_register(const struct walker *walker, uint32_t v, uint32_t split_edge)
{
	const struct wm_path_plan *plan = walker->plan;
	uint64_t route = wm_regions_route(&plan->regions, walker->history);
	assert_true(wm_regions_has(&plan->regions, wm_split_arrival(v), walker->history));
	if (!counts_by_history(plan, split_edge))
		return;
	if (plan->regions.prehistory_count[wm_split_arrival(v)]) {
		assert_true(plan->has_prehistory[v]);
		assert_true(walker->prehistory ==
			    wm_regions_prehistory(&plan->regions, walker->history));
	}
	uint32_t source = plan->regions.function->source[split_edge];
	if (plan->regions.always_has_prehistory[source])
		assert_true(walker->prehistory != 0);
	if (wm_path_plan_histories(plan, v) == 1)
		return;
	assert_true(plan->has_register[v]);
	assert_true(walker->value + plan->potential[v] == route);
}

/* As the lowered code does it, from what the two registers hold. */
static void change_prehistory(struct walker *walker, uint32_t e)
{
	const struct wm_path_plan *plan = walker->plan;
	uint32_t u = plan->function->source[e], v = plan->function->target[e];
	uint64_t before = walker->prehistory, routes = wm_path_plan_histories(plan, u);
	if (!plan->has_prehistory[v])
		walker->prehistory = random_below(walker->source, 1000);
	else if (plan->soft[e])
		walker->prehistory = 1 + plan->regions.offset[e] +
				     (routes > 1 ? walker->value + plan->potential[u] : 0) +
				     (plan->has_prehistory[u] ? routes * before : 0);
	else if (plan->cut[e] || !plan->has_prehistory[u])
		walker->prehistory = 0;
	if (walker->still[e] && plan->has_prehistory[v])
		assert_true(walker->prehistory == before);
}

static void go(struct walker *walker, uint32_t e)
{
	const struct wm_path_plan *plan = walker->plan;
	uint32_t u = plan->function->source[e], v = plan->function->target[e];
	uint64_t before = walker->value;
	check_register(walker, u, e);
	change_prehistory(walker, e);
	walker->history = plan->cut[e] ? 0 : wm_regions_after(&plan->regions, e, walker->history);
	uint64_t route = wm_regions_route(&plan->regions, walker->history);
	if (!plan->has_register[v])
		walker->value = random_below(walker->source, 1000);
	else if (plan->cut[e] || plan->soft[e] || !plan->has_register[u])
		walker->value = route - plan->potential[v];
	else
		walker->value += plan->regions.offset[e] + plan->potential[u] - plan->potential[v];
	if (walker->still[e] && !plan->cut[e] && plan->has_register[v])
		assert_true(walker->value == before);
	if (v != plan->function->exit)
		check_register(walker, v, wm_split_vertex_edge(plan->function, v));
}

static void walk(struct walker *walker, struct random_source *source)
{
	const struct wm_cfg *cfg = walker->plan->function;
	uint32_t v = cfg->entry;
	walker->value = -walker->plan->potential[v];
	for (int step = 0; step < STEPS; step++) {
		uint32_t first = cfg->out_start[v], count = cfg->out_start[v + 1] - first;
		if (!count)
			return;
		uint32_t e = cfg->out_edge[first + random_below(source, count)];
		if (e == wm_cfg_closing_edge(cfg))
			return;
		go(walker, e);
		v = cfg->target[e];
	}
}

static void check_restored(struct wm_arena *arena, const struct wm_path_plan *plan)
{
	struct wm_path_plan again;
	struct wm_error error;
	assert_int_equal(
		wm_path_plan_restore(arena, plan->function, plan->cut, plan->soft, plan->probes,
			plan->probe_count, plan->array_limit, &again, &error),
		0);
	assert_true(again.counter_count == plan->counter_count);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		assert_true(again.first_counter[k] == plan->first_counter[k]);
}

static void check_graph(struct wm_arena *arena, struct random_source *source)
{
	struct wm_cfg *cfg = random_graph(arena, source, MAX_VERTICES);
	struct wm_path_request request = random_path_request(arena, source, cfg);
	bool *no_prehistory = wm_arena_alloc(arena, cfg->vertex_count, sizeof *no_prehistory);
	bool prehistories = random_below(source, 2);
	request.cuts = (struct wm_regions_request){
		.at_loop_entries = prehistories || random_below(source, 2),
		.no_prehistory = no_prehistory,
		.max_routes = prehistories ? 1 + random_below(source, 7) : 1000,
		.max_routes_into_loop = random_below(source, 4),
		.max_prehistories = prehistories ? 1000 : 0};
	request.still = random_still_edge(arena, source, cfg, no_prehistory);
	request.at_ends = random_below(source, 4) == 0;
	request.array_limit = ARRAY_LIMIT;
	struct wm_path_plan plan;
	struct wm_error error;
	assert_int_equal(wm_path_plan_make(arena, cfg, &request, &plan, &error), 0);
	struct walker walker = {.plan = &plan, .still = request.still, .source = source};
	walk(&walker, source);
	check_restored(arena, &plan);
}

static void test_register_gives_history(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(51);
	for (int i = 0; i < GRAPHS; i++) {
		struct wm_arena arena = {0};
		check_graph(&arena, &source);
		wm_arena_reset(&arena);
	}
}

/* Probes by history: plain ones have one counter, few histories one each, many share a table. */
static void test_counters_follow_each_other(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(52);
	struct wm_arena arena = {0};
	uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6},
		{6, 7}, {6, 8}, {7, 9}, {8, 9}};
	enum { EDGES = sizeof edges / sizeof edges[0], VERTICES = 10 };
	uint32_t from[EDGES], to[EDGES];
	for (uint32_t e = 0; e < EDGES; e++) {
		from[e] = edges[e][0];
		to[e] = edges[e][1];
	}
	struct wm_cfg *cfg = wm_cfg_build(&arena, VERTICES, EDGES, from, to, 0, 9);
	struct wm_path_request request = random_path_request(&arena, &source, cfg);
	request.at_ends = true;
	request.array_limit = 4;
	struct wm_path_plan plan;
	struct wm_error error;
	assert_int_equal(wm_path_plan_make(&arena, cfg, &request, &plan, &error), 0);
	assert_int_equal(plan.probe_count, 2);
	assert_int_equal(plan.counter_count, 8); /* 2 ends, 4 histories at each */
	request.array_limit = 3;
	assert_int_equal(wm_path_plan_make(&arena, cfg, &request, &plan, &error), 0);
	assert_int_equal(plan.counter_count, 2);
	wm_arena_reset(&arena);
}

/* Twelve conditionals in a row. */
static struct wm_cfg *build_chain(struct wm_arena *arena)
{
	enum { CONDITIONALS = 12, EDGES = 4 * CONDITIONALS };
	uint32_t from[EDGES], to[EDGES];
	for (uint32_t i = 0; i < CONDITIONALS; i++) {
		const uint32_t head = 3 * i, edges[][2] = {{head, head + 1}, {head, head + 2},
						     {head + 1, head + 3}, {head + 2, head + 3}};
		for (uint32_t k = 0; k < 4; k++) {
			from[4 * i + k] = edges[k][0];
			to[4 * i + k] = edges[k][1];
		}
	}
	return wm_cfg_build(arena, 3 * CONDITIONALS + 1, EDGES, from, to, 0, 3 * CONDITIONALS);
}

/* Each conditional has a counter for each route that leads to it; one more counts calls. */
static void test_counters_stay_below_their_maximum(void **state)
{
	(void)state;
	static const struct {
		uint64_t max_counters, counters;
	} cases[] = {
		{0, 511 + 7},	    /* up to 256 routes meet, then three conditionals are left */
		{518, 511 + 7},	    /* these are allowed */
		{517, 255 + 15},    /* up to 128, and four are left */
		{100, 31 + 31 + 3}, /* up to 16, twice, and two are left */
		{45, 15 + 15 + 15}, /* up to 8, three times */
		{1, 7 + 7 + 7 + 7}, /* up to 4, whatever it takes */
	};
	struct random_source source = random_from_seed(53);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct wm_arena arena = {0};
		struct wm_cfg *cfg = build_chain(&arena);
		struct wm_path_request request = random_path_request(&arena, &source, cfg);
		request.cuts.max_routes = request.array_limit = 256;
		request.cuts.max_counters = cases[i].max_counters;
		struct wm_path_plan plan;
		struct wm_error error;
		assert_int_equal(wm_path_plan_make(&arena, cfg, &request, &plan, &error), 0);
		assert_int_equal(plan.counter_count, cases[i].counters + 1);
		wm_arena_reset(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_register_gives_history),
		cmocka_unit_test(test_counters_follow_each_other),
		cmocka_unit_test(test_counters_stay_below_their_maximum),
	};
	return cmocka_run_group_tests_name("path_plan", tests, NULL, NULL);
}
