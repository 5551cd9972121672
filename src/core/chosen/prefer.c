/* Preferential numbering: the search for an order of edges.
 *
 * Vertices are taken in reverse topological order, and at each one its edges get their values one
 * after the other (prefer_intervals.c, prefer_packing.c). Which edge goes first decides how compact
 * the sums are. A few orders are tried, then small random changes of the best one.
 */
#include "core/chosen/prefer.h"

#include <string.h>

#include "core/chosen/prefer_values.h"
#include "core/graph/depth_first.h"

typedef void give_values(struct wm_prefer_values *values);

struct search {
	struct wm_arena *arena;
	struct wm_prefer_values *values;
	give_values *give;
	uint32_t count; /* interesting paths; no range is smaller */
	uint32_t effort_left;
};

static void list_edges(struct wm_prefer_values *values)
{
	const struct wm_cfg *graph = values->graph;
	uint32_t next = 0;
	for (uint32_t v = 0; v < graph->vertex_count; v++) {
		values->start[v] = next;
		for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++)
			if (wm_prefer_prefix_count(values, graph->out_edge[i]))
				values->order[next++] = graph->out_edge[i];
	}
	values->start[graph->vertex_count] = next;
}

/* The range of the sums in the present order. */
static uint64_t evaluate(struct search *search)
{
	search->give(search->values);
	return (uint64_t)(search->values->high[0] - search->values->low[0]) + 1;
}

enum ordering { REVERSED, MANY_PREFIXES_FIRST, FEW_PREFIXES_FIRST, ORDERING_COUNT };

static bool stands_before(
	const struct wm_prefer_values *values, enum ordering ordering, uint32_t a, uint32_t b)
{
	switch (ordering) {
	case REVERSED:
		return a > b;
	case MANY_PREFIXES_FIRST:
		return wm_prefer_prefix_count(values, a) > wm_prefer_prefix_count(values, b);
	default:
		return wm_prefer_prefix_count(values, a) < wm_prefer_prefix_count(values, b);
	}
}

/* Sorts each vertex's edges by insertion: they are few. */
static void set_order(struct wm_prefer_values *values, enum ordering ordering)
{
	uint32_t *order = values->order;
	for (uint32_t v = 0; v < values->graph->vertex_count; v++) {
		uint32_t first = values->start[v];
		for (uint32_t i = first; i < values->start[v + 1]; i++) {
			uint32_t e = order[i], at = i;
			for (; at > first && stands_before(values, ordering, e, order[at - 1]);
				at--)
				order[at] = order[at - 1];
			order[at] = e;
		}
	}
}

/* Places in `order` of which the next one belongs to the same vertex. */
static uint32_t find_choices(const struct wm_prefer_values *values, uint32_t *choice)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < values->graph->vertex_count; v++)
		for (uint32_t i = values->start[v]; i + 1 < values->start[v + 1]; i++)
			choice[count++] = i;
	return count;
}

static uint32_t draw(uint64_t *state, uint32_t limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 32) * limit >> 32);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* Swaps neighbours at random and keeps what is not worse: plateaus are crossed that way. */
static void climb(struct search *search, uint64_t best)
{
	struct wm_prefer_values *values = search->values;
	uint32_t *choice = wm_arena_alloc(search->arena, values->graph->edge_count, sizeof *choice);
	uint32_t choices = find_choices(values, choice);
	uint64_t state = 2007;
	for (; choices && search->effort_left && best > search->count; search->effort_left--) {
		uint32_t *place = values->order + choice[draw(&state, choices)];
		swap(place, place + 1);
		uint64_t range = evaluate(search);
		if (range <= best)
			best = range;
		else
			swap(place, place + 1);
	}
}

/* Leaves the best order found in place, and its values. */
static void find_order(struct search *search)
{
	struct wm_prefer_values *values = search->values;
	size_t bytes = (size_t)values->graph->edge_count * sizeof(uint32_t);
	uint32_t *best_order = wm_arena_alloc(search->arena, bytes, 1);
	uint64_t best = evaluate(search);
	memcpy(best_order, values->order, bytes);
	for (int ordering = 0; ordering < ORDERING_COUNT; ordering++) {
		if (!search->effort_left || best == search->count)
			break;
		search->effort_left--;
		set_order(values, (enum ordering)ordering);
		uint64_t range = evaluate(search);
		if (range < best) {
			best = range;
			memcpy(best_order, values->order, bytes);
		}
	}
	memcpy(values->order, best_order, bytes);
	climb(search, best);
	evaluate(search);
}

static struct wm_prefer_values set_up(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count)
{
	const struct wm_cfg *graph = paths->graph;
	size_t edges = (size_t)graph->edge_count + 1;
	struct wm_prefer_values values = {
		.graph = graph,
		.trie = wm_path_trie_build(arena, paths, numbers, count),
		.postorder = wm_depth_first_search(arena, graph).postorder,
		.start = wm_arena_alloc(arena, (size_t)graph->vertex_count + 1, sizeof(uint32_t)),
		.order = wm_arena_alloc(arena, edges, sizeof(uint32_t)),
		.value = wm_arena_alloc(arena, edges, sizeof(int64_t)),
	};
	values.low = wm_arena_alloc(arena, values.trie.node_count, sizeof(int64_t));
	values.high = wm_arena_alloc(arena, values.trie.node_count, sizeof(int64_t));
	list_edges(&values);
	return values;
}

static void add_up(struct wm_arena *arena, const struct wm_prefer_values *values,
	struct wm_preference *preference)
{
	const struct wm_path_trie *trie = &values->trie;
	*preference = (struct wm_preference){
		.value = values->value,
		.sum = wm_arena_alloc(arena, trie->path_count, sizeof(int64_t)),
		.least = values->low[0],
		.range = (uint64_t)(values->high[0] - values->low[0]) + 1,
		.count = trie->path_count,
	};
	for (uint32_t i = 0; i < trie->path_count; i++)
		for (uint32_t node = trie->leaf[i]; node; node = trie->parent[node])
			preference->sum[i] += values->value[trie->edge[node]];
}

void wm_prefer_plan(struct wm_arena *arena, const struct wm_paths *paths, const uint64_t *numbers,
	uint32_t count, enum wm_prefer_method method, uint32_t effort,
	struct wm_preference *preference)
{
	struct wm_prefer_values values = set_up(arena, paths, numbers, count);
	struct search search = {arena, &values, wm_prefer_intervals, count, effort};
	if (method == WM_PREFER_PACKING && count <= WM_PREFER_PACKING_LIMIT) {
		wm_prefer_packing_begin(arena, &values);
		search.give = wm_prefer_packing;
	} else {
		wm_prefer_intervals_begin(arena, &values);
	}
	find_order(&search);
	add_up(arena, &values, preference);
}

double wm_prefer_delta(const struct wm_preference *preference)
{
	return (double)preference->range / preference->count;
}
