/* Keys of known paths, against a search for each: the history that a path brings to a probe is the
 * only one whose route, by core/paths/regions.h, is the beginning of the path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/chosen/probe_keys.h"
#include "support/path_request.h"

enum { ROUNDS = 300, MAX_DIAMONDS = 6, ARRAY_LIMIT = 4, MAX_KNOWN = 12, ROOM = 64 };

/* Diamonds in a row; sometimes an edge leads back to the start of one. */
static struct wm_cfg *random_chain(struct wm_arena *arena, struct random_source *source)
{
	uint32_t from[ROOM], to[ROOM], edges = 0;
	uint32_t diamonds = 3 + random_below(source, MAX_DIAMONDS - 2);
	for (uint32_t d = 0; d < diamonds; d++) {
		uint32_t top = 3 * d;
		const uint32_t pairs[][2] = {
			{top, top + 1}, {top, top + 2}, {top + 1, top + 3}, {top + 2, top + 3}};
		for (int i = 0; i < 4; i++, edges++) {
			from[edges] = pairs[i][0];
			to[edges] = pairs[i][1];
		}
		if (d > 0 && random_below(source, 4) == 0) {
			from[edges] = top + 1;
			to[edges++] = 3 * random_below(source, d) + 1;
		}
	}
	uint32_t last = 3 * diamonds;
	from[edges] = last;
	to[edges++] = last + 1;
	return wm_cfg_build(arena, last + 2, edges, from, to, 0, last + 1);
}

static struct wm_path_plan make_plan(
	struct wm_arena *arena, struct random_source *source, const struct wm_cfg *cfg)
{
	struct wm_path_request request = random_path_request(arena, source, cfg);
	struct wm_path_plan plan;
	struct wm_error error;
	request.at_ends = random_below(source, 2);
	request.array_limit = ARRAY_LIMIT;
	assert_int_equal(wm_path_plan_make(arena, cfg, &request, &plan, &error), 0);
	return plan;
}

/* The path as edges of the split graph. */
static uint32_t split_path(const struct wm_path_plan *plan, const struct wm_paths *paths,
	uint64_t id, uint32_t *result)
{
	uint32_t edges[ROOM], count = 0, length = wm_paths_decode(paths, id, edges);
	for (uint32_t i = 0; i < length; i++) {
		uint32_t edge = paths->origin[edges[i]];
		if (paths->kind[edges[i]] == WM_PATH_EDGE_START)
			continue;
		result[count++] =
			wm_split_vertex_edge(plan->function, plan->function->source[edge]);
		result[count++] = edge;
	}
	return count;
}

/* Whether the route with this history, to the source of the edge, is how the path begins and the
 * edge is its next. */
static bool begins_so(const struct wm_path_plan *plan, const uint32_t *path, uint32_t length,
	uint32_t edge, uint64_t history)
{
	uint32_t route[2 * ROOM], start;
	uint32_t count = wm_regions_route_edges(
		&plan->regions, plan->regions.function->source[edge], history, route, &start);
	if (count >= length || path[count] != edge ||
		plan->regions.function->source[path[0]] != start)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (route[count - 1 - i] != path[i])
			return false;
	return true;
}

static uint32_t slot_of(const struct wm_probe_keys *keys, uint64_t key)
{
	return (uint32_t)(key * keys->multiplier >> (64 - keys->bits));
}

/* Every history of the probe: it has a slot, or its slot has another key, if and only if a known
 * path brings it. */
static uint32_t check_probe(const struct wm_path_plan *plan, const struct wm_paths *paths,
	const struct wm_known_paths *known, uint32_t k, const struct wm_probe_keys *keys)
{
	uint32_t edge = wm_path_plan_probe_edge(plan, &plan->probes[k]), found = 0;
	uint64_t histories = wm_path_plan_probe_histories(plan, &plan->probes[k]);
	for (uint64_t history = 0; history < histories; history++) {
		bool brought = false;
		for (uint32_t i = 0; i < known->count; i++) {
			uint32_t path[2 * ROOM];
			uint32_t length = split_path(plan, paths, known->ids[i], path);
			brought |= begins_so(plan, path, length, edge, history);
		}
		uint64_t tag = keys ? keys->tag[slot_of(keys, history)] : WM_NO_KEY;
		assert_true(brought ? tag != WM_NO_KEY : tag != history);
		found += tag == history;
	}
	return found;
}

static void check_round(struct random_source *source, uint32_t *found)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_paths paths;
	struct wm_cfg *cfg = random_chain(&arena, source);
	struct wm_path_plan plan = make_plan(&arena, source, cfg);
	assert_int_equal(wm_paths_number_regions(&arena, cfg, plan.cut, &paths, &error), 0);
	uint64_t ids[MAX_KNOWN];
	double weight[MAX_KNOWN];
	struct wm_known_paths known = {random_below(source, MAX_KNOWN), ids, weight};
	uint32_t counters, next = (uint32_t)plan.counter_count;
	for (uint32_t i = 0; i < known.count; i++) {
		ids[i] = random_below(source, (uint32_t)paths.count);
		weight[i] = 1;
	}
	const struct wm_probe_keys **keys =
		wm_probe_keys_choose(&arena, &plan, &paths, &known, &counters);
	for (uint32_t k = 0; k < plan.probe_count; k++) {
		uint64_t histories = wm_path_plan_probe_histories(&plan, &plan.probes[k]);
		assert_true(!keys[k] || histories > ARRAY_LIMIT);
		if (histories > ARRAY_LIMIT)
			*found += check_probe(&plan, &paths, &known, k, keys[k]);
		if (keys[k]) {
			assert_int_equal(keys[k]->first_counter, next);
			next += 1u << keys[k]->bits;
		}
	}
	assert_int_equal(counters, next);
	wm_arena_reset(&arena);
}

static void test_known_paths_leave_their_keys(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(61);
	uint32_t found = 0;
	for (int i = 0; i < ROUNDS; i++)
		check_round(&source, &found);
	assert_true(found > ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_paths_leave_their_keys),
	};
	return cmocka_run_group_tests_name("probe_keys", tests, NULL, NULL);
}
