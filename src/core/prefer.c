/* Preferential numbering on the tree of prefixes.
 *
 * Vertices are taken in reverse topological order. At a vertex each prefix by which interesting
 * paths arrive wants the intervals of sums behind its out-edges side by side: an edge then needs
 * the value (first free place of the prefix) - (start of the interval). An edge has one value for
 * all prefixes, so it gets the largest that any of them needs (the *join*), which leaves holes in
 * the intervals of the others. Sums are distinct because the intervals of a prefix never overlap.
 * By induction no interval ends above the number of paths from its vertex: nothing overflows.
 *
 * Which edge goes first decides where the holes are. A few orders are tried, then small random
 * changes of the best one.
 */
#include "core/prefer.h"

#include <stdlib.h>
#include <string.h>

#include "core/depth_first.h"
#include "core/path_trie.h"

struct preferring {
	const struct wm_cfg *graph;
	struct wm_path_trie trie;
	const uint32_t *postorder;
	uint32_t *start; /* by vertex: its out-edges on interesting paths are order[start[v] ..
			    start[v+1]-1], in the order to be tried */
	uint32_t *order;
	int64_t *value; /* by edge */
	int64_t *low;	/* by node: smallest and largest sum from its vertex on */
	int64_t *high;
	int64_t *next; /* by node: first free place behind the edges done so far */
};

static uint32_t node_count(const struct preferring *preferring, uint32_t e)
{
	return preferring->trie.edge_start[e + 1] - preferring->trie.edge_start[e];
}

static void list_edges(struct preferring *preferring)
{
	const struct wm_cfg *graph = preferring->graph;
	uint32_t next = 0;
	for (uint32_t v = 0; v < graph->vertex_count; v++) {
		preferring->start[v] = next;
		for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++)
			if (node_count(preferring, graph->out_edge[i]))
				preferring->order[next++] = graph->out_edge[i];
	}
	preferring->start[graph->vertex_count] = next;
}

/* The join; then the prefixes before the edge learn what they have behind it. */
static void give_value(struct preferring *preferring, uint32_t e)
{
	const struct wm_path_trie *trie = &preferring->trie;
	const uint32_t *node = trie->edge_node + trie->edge_start[e];
	uint32_t count = node_count(preferring, e);
	int64_t value = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		int64_t needed = preferring->next[trie->parent[node[i]]] - preferring->low[node[i]];
		if (needed > value)
			value = needed;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = trie->parent[node[i]];
		if (preferring->next[before] == 0)
			preferring->low[before] = preferring->low[node[i]] + value;
		preferring->high[before] = preferring->high[node[i]] + value;
		preferring->next[before] = preferring->high[before] + 1;
	}
	preferring->value[e] = value;
}

/* Values for the present order; returns the range of the sums. */
static uint64_t evaluate(struct preferring *preferring)
{
	const struct wm_cfg *graph = preferring->graph;
	size_t bytes = preferring->trie.node_count * sizeof(int64_t);
	memset(preferring->low, 0, bytes);
	memset(preferring->high, 0, bytes);
	memset(preferring->next, 0, bytes);
	for (uint32_t k = 0; k < graph->vertex_count; k++) {
		uint32_t v = preferring->postorder[k];
		for (uint32_t i = preferring->start[v]; i < preferring->start[v + 1]; i++)
			give_value(preferring, preferring->order[i]);
	}
	return (uint64_t)(preferring->high[0] - preferring->low[0]) + 1;
}

enum ordering { REVERSED, MANY_PREFIXES_FIRST, FEW_PREFIXES_FIRST, ORDERING_COUNT };

static bool stands_before(
	const struct preferring *preferring, enum ordering ordering, uint32_t a, uint32_t b)
{
	switch (ordering) {
	case REVERSED:
		return a > b;
	case MANY_PREFIXES_FIRST:
		return node_count(preferring, a) > node_count(preferring, b);
	default:
		return node_count(preferring, a) < node_count(preferring, b);
	}
}

/* Sorts each vertex's edges by insertion: they are few. */
static void set_order(struct preferring *preferring, enum ordering ordering)
{
	uint32_t *order = preferring->order;
	for (uint32_t v = 0; v < preferring->graph->vertex_count; v++) {
		uint32_t first = preferring->start[v];
		for (uint32_t i = first; i < preferring->start[v + 1]; i++) {
			uint32_t e = order[i], at = i;
			for (; at > first && stands_before(preferring, ordering, e, order[at - 1]);
				at--)
				order[at] = order[at - 1];
			order[at] = e;
		}
	}
}

/* Places in `order` of which the next one belongs to the same vertex. */
static uint32_t find_choices(const struct preferring *preferring, uint32_t *choice)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < preferring->graph->vertex_count; v++)
		for (uint32_t i = preferring->start[v]; i + 1 < preferring->start[v + 1]; i++)
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
static uint64_t climb(struct preferring *preferring, struct wm_arena *arena, uint64_t best,
	uint32_t count, uint32_t steps)
{
	uint32_t *choice =
		wm_arena_alloc(arena, (size_t)preferring->graph->edge_count + 1, sizeof *choice);
	uint32_t choices = find_choices(preferring, choice);
	uint64_t state = 2007;
	for (uint32_t step = 0; choices && step < steps && best > count; step++) {
		uint32_t *place = preferring->order + choice[draw(&state, choices)];
		swap(place, place + 1);
		uint64_t range = evaluate(preferring);
		if (range <= best)
			best = range;
		else
			swap(place, place + 1);
	}
	return best;
}

/* Leaves the best order found in place. */
static void find_order(
	struct preferring *preferring, struct wm_arena *arena, uint32_t count, uint32_t effort)
{
	size_t bytes = ((size_t)preferring->graph->edge_count + 1) * sizeof(uint32_t);
	uint32_t *best_order = wm_arena_alloc(arena, bytes, 1);
	uint64_t best = evaluate(preferring);
	memcpy(best_order, preferring->order, bytes);
	for (int ordering = 0; ordering < ORDERING_COUNT && effort && best > count; ordering++) {
		set_order(preferring, (enum ordering)ordering);
		uint64_t range = evaluate(preferring);
		if (range < best) {
			best = range;
			memcpy(best_order, preferring->order, bytes);
		}
		effort--;
	}
	memcpy(preferring->order, best_order, bytes);
	climb(preferring, arena, best, count, effort);
}

static void add_up(const struct preferring *preferring, struct wm_preference *preference)
{
	const struct wm_path_trie *trie = &preferring->trie;
	preference->least = preferring->low[0];
	preference->range = (uint64_t)(preferring->high[0] - preferring->low[0]) + 1;
	for (uint32_t i = 0; i < preference->count; i++)
		for (uint32_t node = trie->leaf[i]; node; node = trie->parent[node])
			preference->sum[i] += preference->value[trie->edge[node]];
}

void wm_prefer_plan(struct wm_arena *arena, const struct wm_paths *paths, const uint64_t *numbers,
	uint32_t count, uint32_t effort, struct wm_preference *preference)
{
	const struct wm_cfg *graph = paths->graph;
	size_t edges = (size_t)graph->edge_count + 1;
	*preference = (struct wm_preference){
		.value = wm_arena_alloc(arena, edges, sizeof(int64_t)),
		.sum = wm_arena_alloc(arena, count, sizeof(int64_t)),
		.count = count,
	};
	struct preferring preferring = {
		.graph = graph,
		.trie = wm_path_trie_build(arena, paths, numbers, count),
		.postorder = wm_depth_first_search(arena, graph).postorder,
		.start = wm_arena_alloc(arena, (size_t)graph->vertex_count + 1, sizeof(uint32_t)),
		.order = wm_arena_alloc(arena, edges, sizeof(uint32_t)),
		.value = preference->value,
	};
	size_t nodes = preferring.trie.node_count;
	preferring.low = wm_arena_alloc(arena, nodes, sizeof(int64_t));
	preferring.high = wm_arena_alloc(arena, nodes, sizeof(int64_t));
	preferring.next = wm_arena_alloc(arena, nodes, sizeof(int64_t));
	list_edges(&preferring);
	find_order(&preferring, arena, count, effort);
	evaluate(&preferring);
	add_up(&preferring, preference);
}

double wm_prefer_delta(const struct wm_preference *preference)
{
	return (double)preference->range / preference->count;
}
