/* History counters on random graphs: a random run touches only the chosen counters, and the count
 * of every path is derived from them. The run itself says how often each path was taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/order.h"
#include "core/graph/split_graph.h"
#include "core/paths/histories.h"
#include "support/random_graph.h"

enum { GRAPHS = 20000, MAX_VERTICES = 10, MAX_STEPS = 3000, MAX_ROUTES = 400 };

/* What is asked of a random graph. */
struct kind {
	bool at_loop_entries;
	bool with_prehistories; /* paths go on at loop entries, and where many routes meet */
	enum wm_defaults defaults;
	bool left_early; /* split, with edges to EXIT that no probe fits on */
};

/* Counts by history. */
struct tally {
	struct wm_history_count *items;
	uint32_t count, capacity;
};

struct run {
	const struct wm_histories *histories;
	const struct wm_regions *regions;
	struct wm_arena *arena;
	struct tally *counted; /* by edge: what probes count */
	uint64_t *plain;
	struct tally *truth; /* by edge: what was taken */
	uint32_t walked[2 * MAX_VERTICES];
	uint32_t length;
	uint32_t start;
	uint64_t history;
};

static bool can_run(const struct wm_cfg *cfg)
{
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		bool reached = v == cfg->entry || cfg->in_start[v] != cfg->in_start[v + 1];
		if (reached && cfg->out_start[v] == cfg->out_start[v + 1])
			return false;
	}
	return true;
}

/* The history must name the edges that were walked since the path's start. */
static void check_route(const struct run *run, uint32_t v)
{
	uint32_t edges[2 * MAX_VERTICES], start;
	assert_true(wm_regions_has(run->regions, v, run->history));
	assert_int_equal(
		wm_regions_route_edges(run->regions, v, run->history, edges, &start), run->length);
	assert_int_equal(start, run->start);
	for (uint32_t i = 0; i < run->length; i++)
		assert_int_equal(edges[i], run->walked[run->length - 1 - i]);
}

static void count(struct wm_arena *arena, struct tally *tally, uint64_t history)
{
	for (uint32_t i = 0; i < tally->count; i++) {
		if (tally->items[i].history == history) {
			tally->items[i].count++;
			return;
		}
	}
	if (tally->count == tally->capacity) {
		tally->capacity = tally->capacity ? 2 * tally->capacity : 4;
		struct wm_history_count *larger =
			wm_arena_alloc(arena, tally->capacity, sizeof *larger);
		if (tally->count)
			memcpy(larger, tally->items, tally->count * sizeof *larger);
		tally->items = larger;
	}
	tally->items[tally->count++] = (struct wm_history_count){history, 1};
}

static void take(struct run *run, uint32_t e)
{
	const struct wm_cfg *cfg = run->regions->function;
	check_route(run, cfg->source[e]);
	if (run->histories->probe[e] == WM_HISTORY_COUNTED)
		count(run->arena, &run->counted[e], run->history);
	if (run->histories->probe[e] == WM_HISTORY_PLAIN)
		run->plain[e]++;
	count(run->arena, &run->truth[e], run->history);
	if (run->regions->cut[e]) {
		run->history = run->length = 0;
		run->start = cfg->target[e];
	} else {
		run->history = wm_regions_after(run->regions, e, run->history);
		run->walked[run->length++] = e;
	}
}

/* Runs until it comes to EXIT after some steps; false if it does not get there. */
static bool walk(struct run *run, struct random_source *source)
{
	const struct wm_cfg *cfg = run->regions->function;
	uint32_t wanted = random_below(source, MAX_STEPS), v = cfg->entry;
	run->start = v;
	for (uint32_t step = 0; step < 2 * MAX_STEPS; step++) {
		uint32_t first = cfg->out_start[v], last = cfg->out_start[v + 1];
		uint32_t e = cfg->out_edge[first + random_below(source, last - first)];
		if (v == cfg->exit && step >= wanted)
			e = wm_cfg_closing_edge(cfg);
		take(run, e);
		if (v == cfg->exit && step >= wanted)
			return true;
		v = cfg->target[e];
	}
	return false;
}

static int by_history(const void *left, const void *right)
{
	const struct wm_history_count *a = left, *b = right;
	return (a->history > b->history) - (a->history < b->history);
}

static struct wm_history_list *lists_of(
	struct wm_arena *arena, const struct run *run, const struct tally *tallies)
{
	uint32_t edges = run->regions->function->edge_count + 1;
	struct wm_history_list *lists = wm_arena_alloc(arena, edges, sizeof *lists);
	for (uint32_t e = 0; e < edges; e++) {
		if (tallies[e].count)
			qsort(tallies[e].items, tallies[e].count, sizeof *tallies[e].items,
				by_history);
		lists[e] = (struct wm_history_list){tallies[e].count, tallies[e].items};
	}
	return lists;
}

/* A reader finds the defaults again, then derives what was taken. */
static void check_counts(struct wm_arena *arena, const struct run *run)
{
	const struct wm_cfg *cfg = run->regions->function;
	struct wm_histories restored;
	struct wm_error error;
	struct wm_history_counters counters = {lists_of(arena, run, run->counted), run->plain};
	assert_int_equal(
		wm_histories_restore(arena, run->regions, run->histories->probe, &restored, &error),
		0);
	struct wm_history_counts derived = wm_histories_derive(arena, &restored, &counters);
	struct wm_history_list *truth = lists_of(arena, run, run->truth);
	for (uint32_t e = 0; e <= cfg->edge_count; e++) {
		assert_int_equal(derived.taken[e].length, truth[e].length);
		if (truth[e].length)
			assert_memory_equal(derived.taken[e].items, truth[e].items,
				truth[e].length * sizeof *truth[e].items);
	}
}

/* The function with edges to EXIT from some vertices, marked, that nobody sees. */
static struct wm_cfg *with_ways_out(struct wm_arena *arena, struct random_source *source,
	const struct wm_cfg *cfg, bool *uncountable)
{
	uint32_t sources[256], targets[256], count = cfg->edge_count;
	memcpy(sources, cfg->source, count * sizeof *sources);
	memcpy(targets, cfg->target, count * sizeof *targets);
	for (uint32_t v = 0; v < cfg->exit; v++) {
		if (random_below(source, 3) || count == 256)
			continue;
		uncountable[count] = true;
		sources[count] = v;
		targets[count++] = cfg->exit;
	}
	return wm_split_graph(arena, wm_cfg_build(arena, cfg->vertex_count, count, sources, targets,
					     cfg->entry, cfg->exit));
}

static bool check_graph(struct wm_arena *arena, struct random_source *source, struct kind kind)
{
	struct wm_cfg *cfg = random_graph(arena, source, MAX_VERTICES);
	bool *uncountable = wm_arena_alloc(arena, 1024, sizeof *uncountable);
	struct wm_histories histories;
	struct wm_regions regions;
	struct wm_error error;
	if (cfg->edge_count > 200 || !can_run(cfg))
		return false;
	if (kind.left_early)
		cfg = with_ways_out(arena, source, cfg, uncountable);
	double *cost = wm_arena_alloc(arena, cfg->edge_count, sizeof *cost);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		cost[e] = random_below(source, 1000);
	struct wm_regions_request request_cuts = {
		.at_loop_entries = kind.at_loop_entries || kind.with_prehistories,
		.max_routes = kind.with_prehistories ? 1 + random_below(source, 6) : MAX_ROUTES,
		.max_routes_into_loop = random_below(source, 4),
		.max_prehistories = kind.with_prehistories ? 1 + random_below(source, 2000) : 0};
	struct wm_cuts cuts = wm_regions_cut(arena, cfg, &request_cuts);
	struct wm_histories_request request = {
		wm_order_by_weight(arena, cost, cfg->edge_count, false), cost, uncountable,
		kind.defaults};
	assert_int_equal(wm_regions_number(arena, cfg, cuts.cut, cuts.soft, &regions, &error), 0);
	int status = wm_histories_plan(arena, &regions, &request, &histories, &error);
	assert_int_equal(status, 0);
	struct run run = {.histories = &histories,
		.regions = &regions,
		.arena = arena,
		.counted = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof(struct tally)),
		.plain = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof(uint64_t)),
		.truth = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof(struct tally))};
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		assert_false(uncountable[e] && histories.probe[e]);
	if (!can_run(cfg) || !walk(&run, source))
		return false;
	check_counts(arena, &run);
	return true;
}

static void check_graphs(uint64_t seed, struct kind kind)
{
	struct random_source source = random_from_seed(seed);
	for (unsigned checked = 0, tried = 0; checked < GRAPHS; tried++) {
		struct wm_arena arena = {0};
		checked += check_graph(&arena, &source, kind);
		wm_arena_reset(&arena);
		assert_true(tried < 20 * GRAPHS);
	}
}

static void test_paths_between_retreating_edges(void **state)
{
	(void)state;
	check_graphs(41, (struct kind){0});
}

static void test_paths_cut_at_loop_headers_too(void **state)
{
	(void)state;
	check_graphs(42, (struct kind){.at_loop_entries = true});
}

static void test_counted_at_their_ends(void **state)
{
	(void)state;
	check_graphs(43, (struct kind){.defaults = WM_DEFAULTS_NOWHERE});
}

static void test_left_early(void **state)
{
	(void)state;
	check_graphs(44, (struct kind){.left_early = true});
	check_graphs(45, (struct kind){.at_loop_entries = true, .left_early = true});
	check_graphs(46, (struct kind){.defaults = WM_DEFAULTS_NOWHERE, .left_early = true});
}

static void test_with_prehistories(void **state)
{
	(void)state;
	check_graphs(47, (struct kind){.with_prehistories = true});
	check_graphs(48, (struct kind){.with_prehistories = true, .left_early = true});
	check_graphs(50, (struct kind){.with_prehistories = true,
				 .defaults = WM_DEFAULTS_WITHOUT_PREHISTORY,
				 .left_early = true});
	check_graphs(49, (struct kind){.with_prehistories = true,
				 .defaults = WM_DEFAULTS_NOWHERE,
				 .left_early = true});
}

/* A ladder of diamonds has 2^70 paths; cut where there are too many, it has few everywhere. */
static void test_too_many_routes(void **state)
{
	(void)state;
	enum { DIAMONDS = 70, VERTICES = 3 * DIAMONDS + 2, EDGES = 4 * DIAMONDS + 1 };
	uint32_t source[EDGES], target[EDGES], count = 0;
	struct wm_arena arena = {0};
	struct wm_regions regions;
	struct wm_error error;
	for (uint32_t i = 0; i < DIAMONDS; i++) {
		for (uint32_t side = 1; side <= 2; side++) {
			source[count] = 3 * i;
			target[count++] = 3 * i + side;
			source[count] = 3 * i + side;
			target[count++] = 3 * i + 3;
		}
	}
	source[count] = VERTICES - 2;
	target[count] = VERTICES - 1;
	struct wm_cfg *cfg = wm_cfg_build(&arena, VERTICES, EDGES, source, target, 0, VERTICES - 1);
	struct wm_regions_request request = {.max_routes = UINT64_MAX >> 4};
	struct wm_cuts cuts = wm_regions_cut(&arena, cfg, &request);
	assert_int_equal(wm_regions_number(&arena, cfg, cuts.cut, cuts.soft, &regions, &error), 0);
	request.max_routes = 1000;
	cuts = wm_regions_cut(&arena, cfg, &request);
	assert_int_equal(wm_regions_number(&arena, cfg, cuts.cut, cuts.soft, &regions, &error), 0);
	for (uint32_t v = 0; v < VERTICES; v++)
		assert_true(regions.route_count[v] >= 1 && regions.route_count[v] <= 1000);
	memset(cuts.cut, 0, EDGES * sizeof *cuts.cut);
	cuts.cut[EDGES - 1] = cuts.cut[EDGES] = true;
	assert_int_equal(wm_regions_number(&arena, cfg, cuts.cut, cuts.soft, &regions, &error),
		WM_ERROR_INPUT);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_between_retreating_edges),
		cmocka_unit_test(test_paths_cut_at_loop_headers_too),
		cmocka_unit_test(test_counted_at_their_ends),
		cmocka_unit_test(test_left_early),
		cmocka_unit_test(test_with_prehistories),
		cmocka_unit_test(test_too_many_routes),
	};
	return cmocka_run_group_tests_name("histories", tests, NULL, NULL);
}
