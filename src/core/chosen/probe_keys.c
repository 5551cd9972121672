/* Known paths walk through the plan and leave their histories at its probes; each probe then keeps
 * the hottest and gets a hash for them. */
#include "core/chosen/probe_keys.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

/* At most this many keys are kept, and no more than hold this share of what is expected. */
enum { MAX_KEYS = 1024 };
static const double enough = 0.999;

struct visit {
	uint32_t probe;
	uint64_t key;
	double weight;
};

struct visits {
	struct wm_arena *arena;
	const struct wm_path_plan *plan;
	uint32_t *probe_of; /* by edge of the split graph: a probe that counts in a table, or
			       WM_NONE */
	struct visit *items;
	size_t count;
	size_t capacity;
};

static bool counts_in_table(const struct wm_path_plan *plan, uint32_t k)
{
	return wm_path_plan_probe_has_prehistories(plan, &plan->probes[k]) ||
	       !wm_path_plan_probe_has_array(plan, &plan->probes[k]);
}

static void add_visit(struct visits *visits, struct visit visit)
{
	visits->items = wm_arena_grow(visits->arena, visits->items, visits->count,
		&visits->capacity, sizeof *visits->items);
	visits->items[visits->count++] = visit;
}

/* Goes along an edge of the split graph with this history; returns that behind it. */
static uint64_t visit_edge(struct visits *visits, uint32_t edge, uint64_t history, double weight)
{
	uint32_t probe = visits->probe_of[edge];
	bool in_array = wm_regions_prehistory(&visits->plan->regions, history) == 0 &&
			probe != WM_NONE &&
			wm_path_plan_probe_has_array(visits->plan, &visits->plan->probes[probe]);
	if (probe != WM_NONE && !in_array)
		add_visit(visits, (struct visit){probe, history, weight});
	return visits->plan->regions.cut[edge]
		       ? 0
		       : wm_regions_after(&visits->plan->regions, edge, history);
}

static void visit_path(struct visits *visits, const struct wm_paths *paths, const uint32_t *edges,
	uint32_t length, double weight)
{
	const struct wm_cfg *function = visits->plan->function;
	uint64_t history = 0;
	for (uint32_t i = 0; i < length; i++) {
		uint32_t edge = paths->origin[edges[i]];
		if (paths->kind[edges[i]] == WM_PATH_EDGE_START)
			continue;
		history = visit_edge(visits, wm_split_vertex_edge(function, function->source[edge]),
			history, weight);
		history = visit_edge(visits, edge, history, weight);
	}
}

static int by_probe_and_key(const void *left, const void *right)
{
	const struct visit *a = left, *b = right;
	if (a->probe != b->probe)
		return a->probe < b->probe ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

static int by_falling_weight(const void *left, const void *right)
{
	const struct visit *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* Several paths may bring the same history. */
static void join_equal(struct visits *visits)
{
	size_t kept = 0;
	if (visits->count)
		qsort(visits->items, visits->count, sizeof *visits->items, by_probe_and_key);
	for (size_t i = 0; i < visits->count; i++) {
		struct visit *last = kept ? &visits->items[kept - 1] : NULL;
		if (last && by_probe_and_key(last, &visits->items[i]) == 0)
			last->weight += visits->items[i].weight;
		else
			visits->items[kept++] = visits->items[i];
	}
	visits->count = kept;
}

static uint32_t keep_hottest(struct visit *items, size_t count)
{
	double all = 0, sum = 0;
	uint32_t kept = 0;
	qsort(items, count, sizeof *items, by_falling_weight);
	for (size_t i = 0; i < count; i++)
		all += items[i].weight;
	while (kept < count && kept < MAX_KEYS && (kept == 0 || sum < enough * all))
		sum += items[kept++].weight;
	return kept;
}

static const struct wm_probe_keys *choose_slots(
	struct wm_arena *arena, struct visit *items, size_t count, uint64_t first_counter)
{
	uint32_t kept = keep_hottest(items, count);
	uint64_t *keys = wm_arena_alloc(arena, kept, sizeof *keys);
	double *weight = wm_arena_alloc(arena, kept, sizeof *weight);
	struct wm_scaled_hash hash;
	struct wm_probe_keys *result = wm_arena_alloc(arena, 1, sizeof *result);
	for (uint32_t i = 0; i < kept; i++) {
		keys[i] = items[i].key;
		weight[i] = items[i].weight;
	}
	wm_scaled_hash_choose(arena, keys, weight, kept, &hash);
	size_t slots = (size_t)1 << hash.bits;
	*result = (struct wm_probe_keys){hash.multiplier, hash.bits,
		wm_arena_alloc(arena, slots, sizeof *result->tag), first_counter};
	for (size_t i = 0; i < slots; i++)
		result->tag[i] = WM_NO_KEY;
	for (uint32_t i = 0; i < kept; i++)
		if (hash.slot[i] == wm_scaled_hash_home(&hash, keys[i]))
			result->tag[hash.slot[i]] = keys[i];
	return result;
}

static struct visits open_visits(struct wm_arena *arena, const struct wm_path_plan *plan)
{
	struct visits visits = {arena, plan,
		wm_none_array(arena, (size_t)plan->regions.function->edge_count + 1), NULL, 0, 0};
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (counts_in_table(plan, k))
			visits.probe_of[wm_path_plan_probe_edge(plan, &plan->probes[k])] = k;
	return visits;
}

const struct wm_probe_keys **wm_probe_keys_choose(struct wm_arena *arena,
	const struct wm_path_plan *plan, const struct wm_paths *paths,
	const struct wm_known_paths *known, uint32_t *counter_count)
{
	struct visits visits = open_visits(arena, plan);
	uint32_t *edges = wm_arena_alloc(arena, paths->graph->vertex_count, sizeof *edges);
	const struct wm_probe_keys **result =
		wm_arena_alloc(arena, plan->probe_count, sizeof *result);
	*counter_count = (uint32_t)plan->counter_count;
	for (uint32_t i = 0; i < known->count; i++)
		visit_path(&visits, paths, edges, wm_paths_decode(paths, known->ids[i], edges),
			known->weight[i]);
	join_equal(&visits);
	for (size_t i = 0, end; i < visits.count; i = end) {
		uint32_t probe = visits.items[i].probe;
		for (end = i; end < visits.count && visits.items[end].probe == probe;)
			end++;
		result[probe] = choose_slots(arena, &visits.items[i], end - i, *counter_count);
		*counter_count += (uint32_t)1 << result[probe]->bits;
	}
	return result;
}
