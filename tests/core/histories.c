/* History counters on random graphs: a random run touches only the chosen counters, and the count
 * of every path is derived from them. The run itself says how often each path was taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/depth_first.h"
#include "core/histories.h"
#include "support/random_graph.h"

enum { GRAPHS = 20000, MOST_VERTICES = 10, MOST_STEPS = 3000, MOST_PREFIXES = 400 };

struct run {
	const struct wm_histories *histories;
	uint64_t *counter;
	uint64_t **truth; /* by cut edge and history */
	uint32_t walked[MOST_VERTICES];
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
static void check_prefix(const struct run *run, uint32_t v)
{
	uint32_t edges[MOST_VERTICES], start;
	assert_true(run->history < run->histories->prefix_count[v]);
	assert_int_equal(
		wm_histories_prefix(run->histories, v, run->history, edges, &start), run->length);
	assert_int_equal(start, run->start);
	for (uint32_t i = 0; i < run->length; i++)
		assert_int_equal(edges[i], run->walked[run->length - 1 - i]);
}

static void take(struct run *run, uint32_t e)
{
	const struct wm_histories *histories = run->histories;
	const struct wm_cfg *cfg = histories->function;
	check_prefix(run, cfg->source[e]);
	if (histories->probe[e] == WM_HISTORY_COUNTED)
		run->counter[histories->first_counter[e] + run->history]++;
	if (histories->probe[e] == WM_HISTORY_PLAIN)
		run->counter[histories->first_counter[e]]++;
	if (histories->cut[e]) {
		run->truth[e][run->history]++;
		run->history = run->length = 0;
		run->start = cfg->target[e];
	} else {
		run->history += histories->offset[e];
		run->walked[run->length++] = e;
	}
}

/* Runs until it comes to EXIT after some steps; false if it does not get there. */
static bool walk(struct run *run, struct random_source *source)
{
	const struct wm_cfg *cfg = run->histories->function;
	uint32_t wanted = random_below(source, MOST_STEPS), v = cfg->entry;
	run->start = v;
	for (uint32_t step = 0; step < 2 * MOST_STEPS; step++) {
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

static void check_counts(struct wm_arena *arena, const struct run *run)
{
	const struct wm_histories *histories = run->histories;
	const struct wm_cfg *cfg = histories->function;
	uint64_t **derived = wm_histories_derive(arena, histories, run->counter);
	for (uint32_t e = 0; e <= cfg->edge_count; e++) {
		uint64_t count = histories->prefix_count[cfg->source[e]];
		if (histories->cut[e] && count)
			assert_memory_equal(derived[e], run->truth[e], count * sizeof **derived);
	}
}

/* Edges into loop headers, as paths that are cut there as well have it. */
static bool *header_edges(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	struct wm_depth_first search = wm_depth_first_search(arena, cfg);
	bool *header = wm_arena_alloc(arena, cfg->vertex_count, sizeof *header);
	bool *into = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *into);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		header[cfg->target[e]] |= search.back_edge[e];
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		into[e] = header[cfg->target[e]];
	return into;
}

static bool check_graph(struct wm_arena *arena, struct random_source *source, bool cut_headers)
{
	struct wm_cfg *cfg = random_graph(arena, source, MOST_VERTICES);
	double *cost = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *cost);
	struct wm_histories histories;
	struct wm_error error;
	if (!can_run(cfg))
		return false;
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		cost[e] = random_below(source, 1000);
	if (wm_histories_plan(arena, cfg, cut_headers ? header_edges(arena, cfg) : NULL, cost,
		    MOST_PREFIXES, &histories, &error))
		return false;
	struct run run = {.histories = &histories,
		.counter = wm_arena_alloc(arena, histories.counter_count, sizeof(uint64_t)),
		.truth = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof(uint64_t *))};
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		run.truth[e] = wm_arena_alloc(
			arena, histories.prefix_count[cfg->source[e]], sizeof(uint64_t));
	if (!walk(&run, source))
		return false;
	check_counts(arena, &run);
	return true;
}

static void check_graphs(uint64_t seed, bool cut_headers)
{
	struct random_source source = random_from_seed(seed);
	for (unsigned checked = 0, tried = 0; checked < GRAPHS; tried++) {
		struct wm_arena arena = {0};
		checked += check_graph(&arena, &source, cut_headers);
		wm_arena_reset(&arena);
		assert_true(tried < 20 * GRAPHS);
	}
}

static void test_paths_between_retreating_edges(void **state)
{
	(void)state;
	check_graphs(41, false);
}

static void test_paths_cut_at_loop_headers_too(void **state)
{
	(void)state;
	check_graphs(42, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_between_retreating_edges),
		cmocka_unit_test(test_paths_cut_at_loop_headers_too),
	};
	return cmocka_run_group_tests_name("histories", tests, NULL, NULL);
}
