/* Sentinels: on random graphs each path is walked, and the first armed sentinel that it meets must
 * stand where it leaves the tested paths, which is worked out by comparing paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/chosen/sentinels.h"
#include "support/random_paths.h"

enum { GRAPHS = 20000, NOWHERE = -1, MAX_EDGES = 64 };

struct placed {
	struct wm_sentinels sentinels;
	struct wm_path_plan plan;
	const bool *armed;
};

static struct placed place(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct path_list *list)
{
	struct placed placed;
	struct wm_error error;
	bool *watched = wm_arena_alloc(arena, cfg->edge_count, sizeof *watched);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		watched[e] = true;
	wm_sentinels_choose(arena, cfg, &list->paths, list->numbers, list->interesting_count,
		watched, &placed.sentinels);
	assert_int_equal(
		wm_path_plan_of_probes(arena, cfg, placed.sentinels.cut, placed.sentinels.probes,
			placed.sentinels.probe_count, 256, &placed.plan, &error),
		0);
	placed.armed = wm_sentinels_arm(arena, &placed.sentinels, &placed.plan);
	return placed;
}

/* Whether a sentinel on the edge tells, with this history at its source. */
static bool tells(const struct placed *placed, uint32_t edge, uint64_t history)
{
	for (uint32_t k = 0; k < placed->plan.probe_count; k++) {
		const struct wm_probe *probe = &placed->plan.probes[k];
		if (!wm_probe_is_on_edge(probe) || probe->index != edge)
			continue;
		bool by_history = probe->kind == WM_PROBE_EDGE_BY_HISTORY;
		return placed->armed[placed->plan.first_counter[k] + (by_history ? history : 0)];
	}
	return false;
}

/* How many edges the path takes before it is told that it left. */
static int told_at(const struct placed *placed, const struct listed_path *path)
{
	uint64_t history = 0;
	for (uint32_t i = 0; i < path->length; i++) {
		uint32_t e = path->edges[i];
		if (tells(placed, e, history))
			return (int)i;
		history = placed->sentinels.cut[e]
				  ? 0
				  : wm_regions_after(&placed->plan.regions, e, history);
	}
	return NOWHERE;
}

static uint32_t common(const struct listed_path *a, const struct listed_path *b)
{
	uint32_t length = 0;
	while (length < a->length && length < b->length && a->edges[length] == b->edges[length])
		length++;
	return length;
}

static bool is_tested(const struct path_list *list, const struct listed_path *path)
{
	for (uint32_t i = 0; i < list->interesting_count; i++)
		if (list->numbers[i] == path->number)
			return true;
	return false;
}

static int left_at(const struct path_list *list, const struct listed_path *path)
{
	uint32_t longest = 0;
	for (uint32_t i = 0; i < list->count; i++)
		if (is_tested(list, &list->path[i]) && common(path, &list->path[i]) > longest)
			longest = common(path, &list->path[i]);
	return is_tested(list, path) ? NOWHERE : (int)longest;
}

static void paths_are_left_at_sentinels(void **state)
{
	struct random_source source = random_from_seed(33);
	uint32_t graphs = 0, by_history = 0, plain = 0;
	(void)state;
	while (graphs < GRAPHS) {
		struct wm_arena arena = {0};
		struct path_list list;
		const struct wm_cfg *cfg = random_acyclic(&arena, &source,
			3 + random_below(&source, 8), 1 + random_below(&source, 4));
		if (list_paths(&arena, cfg, &list) && list.count >= 2) {
			for (uint32_t i = 0; i < list.count; i++)
				if (random_below(&source, 3) == 0 || i == 0)
					list.numbers[list.interesting_count++] =
						list.path[i].number;
			struct placed placed = place(&arena, cfg, &list);
			for (uint32_t i = 0; i < list.count; i++)
				assert_int_equal(told_at(&placed, &list.path[i]),
					left_at(&list, &list.path[i]));
			for (uint32_t k = 0; k < placed.plan.probe_count; k++)
				*(placed.plan.probes[k].kind == WM_PROBE_EDGE ? &plain
									      : &by_history) += 1;
			graphs++;
		}
		wm_arena_reset(&arena);
	}
	print_message("%u graphs, %u plain sentinels, %u by history\n", graphs, plain, by_history);
	assert_true(plain > GRAPHS && by_history > GRAPHS / 4);
}

/* Two branches, one behind the other: 0 -> 1 | 2 -> 3 -> 4 | 5 -> 6 -> EXIT. */
static const uint32_t two_branches[][2] = {
	{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}, {6, 7}};

static struct placed place_tested(struct wm_arena *arena, const char *const *tested, size_t count)
{
	struct path_list list;
	struct wm_cfg *cfg = wm_cfg_allocate(arena, 8, 9, 0, 7);
	for (uint32_t e = 0; e < 9; e++) {
		cfg->source[e] = two_branches[e][0];
		cfg->target[e] = two_branches[e][1];
	}
	wm_cfg_close(cfg);
	assert_true(list_paths(arena, cfg, &list));
	assert_int_equal(list.count, 4);
	for (uint32_t i = 0; i < list.count; i++)
		for (size_t k = 0; k < count; k++)
			if (list.path[i].edges[0] == (uint32_t)(tested[k][0] == 'F') &&
				list.path[i].edges[2] == 4 + (uint32_t)(tested[k][1] == 'F'))
				list.numbers[list.interesting_count++] = list.path[i].number;
	return place(arena, cfg, &list);
}

/* What the sentinel on the edge tells behind [T] and behind [F]. */
static void check_edge(const struct placed *placed, uint32_t edge, enum wm_probe_kind kind,
	bool behind_t, bool behind_f)
{
	for (uint32_t k = 0; k < placed->plan.probe_count; k++) {
		if (placed->plan.probes[k].index != edge)
			continue;
		const struct wm_regions *regions = &placed->plan.regions;
		assert_int_equal(placed->plan.probes[k].kind, kind);
		uint64_t t = kind == WM_PROBE_EDGE ? 0 : wm_regions_after(regions, 2, 0);
		uint64_t f = kind == WM_PROBE_EDGE ? 0 : wm_regions_after(regions, 3, 0);
		assert_int_equal(tells(placed, edge, t), behind_t);
		assert_int_equal(tells(placed, edge, f), behind_f);
		return;
	}
	fail_msg("no sentinel on edge %u", edge);
}

static void two_branches_in_a_row(void **state)
{
	struct wm_arena arena = {0};
	(void)state;
	struct placed both = place_tested(&arena, (const char *const[]){"TT", "FF"}, 2);
	assert_int_equal(both.plan.probe_count, 2);
	check_edge(&both, 4, WM_PROBE_EDGE_BY_HISTORY, false, true);
	check_edge(&both, 5, WM_PROBE_EDGE_BY_HISTORY, true, false);
	struct placed three = place_tested(&arena, (const char *const[]){"TT", "TF", "FF"}, 3);
	assert_int_equal(three.plan.probe_count, 1);
	check_edge(&three, 4, WM_PROBE_EDGE_BY_HISTORY, false, true);
	struct placed all = place_tested(&arena, (const char *const[]){"TT", "TF", "FT", "FF"}, 4);
	assert_int_equal(all.plan.probe_count, 0);
	struct placed plain = place_tested(&arena, (const char *const[]){"TT", "FT"}, 2);
	assert_int_equal(plain.plan.probe_count, 1);
	check_edge(&plain, 5, WM_PROBE_EDGE, true, true);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_left_at_sentinels),
		cmocka_unit_test(two_branches_in_a_row)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
