/* Derivation of path counts from history counters, in three steps.
 *
 * Outside of R every edge out of a vertex is counted or stays outside, so counts per history add up
 * from below. Totals of the default edges follow by the flow law of the whole function, along the
 * chains that defaults make; a plain counter opens each cycle of them. Then, from the starts down,
 * what arrives in R with a history and does not leave by a counted edge left by the default one.
 * Exact by induction over the regions, which are acyclic. Only histories that occurred are held.
 */
#include "core/paths/histories.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

struct derivation {
	struct wm_arena *arena;
	const struct wm_histories *histories;
	const struct wm_regions *regions;
	const struct wm_cfg *function;
	const struct wm_history_counters *counters;
	struct wm_history_list *arrived; /* by vertex */
	struct wm_history_list *taken;	 /* by edge */
	uint64_t *total;		 /* by edge */
	bool *known;			 /* by edge: its total */
	struct wm_history_count *work;	 /* items being combined */
	uint32_t work_count;
	size_t work_capacity;
};

static bool is_default(const struct derivation *derivation, uint32_t edge)
{
	return derivation->histories->default_edge[derivation->function->source[edge]] == edge;
}

static bool is_in_r(const struct derivation *derivation, uint32_t vertex)
{
	return derivation->histories->default_edge[vertex] != WM_NONE;
}

static void add_item(struct derivation *derivation, uint64_t history, uint64_t count)
{
	derivation->work = wm_arena_grow(derivation->arena, derivation->work,
		derivation->work_count, &derivation->work_capacity, sizeof *derivation->work);
	derivation->work[derivation->work_count++] = (struct wm_history_count){history, count};
}

/* Adds a list, its counts multiplied by 1 or -1. */
static void add_list(
	struct derivation *derivation, const struct wm_history_list *list, uint64_t sign)
{
	for (uint32_t i = 0; i < list->length; i++)
		add_item(derivation, list->items[i].history, sign * list->items[i].count);
}

/* Adds what went along the edge, as it is at its target. */
static void add_taken(struct derivation *derivation, uint32_t edge)
{
	const struct wm_history_list *list = &derivation->taken[edge];
	for (uint32_t i = 0; i < list->length; i++)
		add_item(derivation,
			wm_regions_after(derivation->regions, edge, list->items[i].history),
			list->items[i].count);
}

static int by_history(const void *left, const void *right)
{
	const struct wm_history_count *a = left, *b = right;
	return (a->history > b->history) - (a->history < b->history);
}

static bool is_sorted(const struct wm_history_count *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (items[i - 1].history > items[i].history)
			return false;
	return true;
}

uint32_t wm_history_settle(struct wm_history_count *items, uint32_t count)
{
	uint32_t kept = 0;
	if (!is_sorted(items, count))
		qsort(items, count, sizeof *items, by_history);
	for (uint32_t i = 0; i < count;) {
		struct wm_history_count sum = {items[i].history, 0};
		for (; i < count && items[i].history == sum.history; i++)
			sum.count += items[i].count;
		if (sum.count)
			items[kept++] = sum;
	}
	return kept;
}

/* Makes a list of the items added since the last one. */
static struct wm_history_list combine(struct derivation *derivation)
{
	struct wm_history_count *items = derivation->work;
	uint32_t kept = wm_history_settle(items, derivation->work_count);
	derivation->work_count = 0;
	struct wm_history_count *copy = wm_arena_alloc(derivation->arena, kept, sizeof *copy);
	if (kept)
		memcpy(copy, items, kept * sizeof *copy);
	return (struct wm_history_list){kept, copy};
}

/* What arrived by the edge, as it was at its source. */
static struct wm_history_list arrived_by(struct derivation *derivation, uint32_t e)
{
	const struct wm_history_list *all = &derivation->arrived[derivation->function->target[e]];
	uint64_t before;
	for (uint32_t i = 0; i < all->length; i++)
		if (wm_regions_before(derivation->regions, e, all->items[i].history, &before))
			add_item(derivation, before, all->items[i].count);
	return combine(derivation);
}

static uint64_t sum_of(const struct wm_history_list *list)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < list->length; i++)
		sum += list->items[i].count;
	return sum;
}

static void take_edges_of(struct derivation *derivation, uint32_t v)
{
	const struct wm_cfg *function = derivation->function;
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++) {
		uint32_t e = function->out_edge[k];
		if (is_default(derivation, e))
			continue;
		bool counted = derivation->histories->probe[e] == WM_HISTORY_COUNTED;
		derivation->taken[e] =
			counted ? derivation->counters->counted[e] : arrived_by(derivation, e);
		derivation->total[e] = sum_of(&derivation->taken[e]);
		derivation->known[e] = true;
	}
}

static void add_leaving_but_by_default(struct derivation *derivation, uint32_t v, uint64_t sign)
{
	const struct wm_cfg *function = derivation->function;
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++)
		if (!is_default(derivation, function->out_edge[k]))
			add_list(derivation, &derivation->taken[function->out_edge[k]], sign);
}

/* From the ends of the regions up: all edges but defaults, and what arrives outside of R. */
static void add_up(struct derivation *derivation)
{
	for (uint32_t i = derivation->function->vertex_count; i-- > 0;) {
		uint32_t v = derivation->regions->order[i];
		take_edges_of(derivation, v);
		if (is_in_r(derivation, v))
			continue;
		add_leaving_but_by_default(derivation, v, 1);
		derivation->arrived[v] = combine(derivation);
	}
}

/* The total of the vertex's default edge, if all that arrives is known. */
static bool solve_default(struct derivation *derivation, uint32_t v)
{
	const struct wm_cfg *function = derivation->function;
	uint32_t own = derivation->histories->default_edge[v];
	uint64_t total = 0;
	if (own == WM_NONE || derivation->known[own])
		return false;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		if (!derivation->known[function->in_edge[k]])
			return false;
		total += derivation->total[function->in_edge[k]];
	}
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++)
		if (function->out_edge[k] != own)
			total -= derivation->total[function->out_edge[k]];
	derivation->total[own] = total;
	derivation->known[own] = true;
	return true;
}

/* A default that becomes known may make the next on its chain known, and only that. */
static void solve_totals(struct derivation *derivation)
{
	const struct wm_cfg *function = derivation->function;
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (derivation->histories->probe[e] != WM_HISTORY_PLAIN)
			continue;
		derivation->total[e] = derivation->counters->plain[e];
		derivation->known[e] = true;
	}
	for (uint32_t start = 0; start < function->vertex_count; start++)
		for (uint32_t v = start; solve_default(derivation, v);)
			v = function->target[derivation->histories->default_edge[v]];
}

/* What arrives at a vertex of R, edge by edge. A start's own history comes by the cut edges. */
static struct wm_history_list arrive(struct derivation *derivation, uint32_t v)
{
	const struct wm_cfg *function = derivation->function;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (derivation->regions->cut[e])
			add_item(derivation, 0, derivation->total[e]);
		else
			add_taken(derivation, e);
	}
	return combine(derivation);
}

static void go_down(struct derivation *derivation)
{
	for (uint32_t i = 0; i < derivation->function->vertex_count; i++) {
		uint32_t v = derivation->regions->order[i];
		if (!is_in_r(derivation, v))
			continue;
		derivation->arrived[v] = arrive(derivation, v);
		add_list(derivation, &derivation->arrived[v], 1);
		add_leaving_but_by_default(derivation, v, (uint64_t)-1);
		derivation->taken[derivation->histories->default_edge[v]] = combine(derivation);
	}
}

struct wm_history_counts wm_histories_derive(struct wm_arena *arena,
	const struct wm_histories *histories, const struct wm_history_counters *counters)
{
	const struct wm_cfg *function = histories->regions->function;
	uint32_t edges = function->edge_count + 1;
	struct derivation derivation = {.arena = arena,
		.histories = histories,
		.regions = histories->regions,
		.function = function,
		.counters = counters,
		.arrived =
			wm_arena_alloc(arena, function->vertex_count, sizeof(*derivation.arrived)),
		.taken = wm_arena_alloc(arena, edges, sizeof(*derivation.taken)),
		.total = wm_arena_alloc(arena, edges, sizeof(*derivation.total)),
		.known = wm_arena_alloc(arena, edges, sizeof(*derivation.known))};
	add_up(&derivation);
	solve_totals(&derivation);
	go_down(&derivation);
	return (struct wm_history_counts){derivation.taken, derivation.total};
}
