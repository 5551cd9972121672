/* Values by packing (ours): like intervals, but the holes are filled.
 *
 * A prefix keeps the set of its sums, not only their ends. An edge gets the smallest value with
 * which no prefix has a sum below zero, and none has a sum twice: a value is refused if it is the
 * difference between a sum that the prefix has already and one behind the edge. There are fewer
 * refused values than pairs of sums, so the first that is not refused is near, and nothing
 * overflows. Intervals of a prefix may now overlap; sums are distinct by construction.
 */
#include <string.h>

#include "core/chosen/prefer_values.h"

static uint32_t *count_leaves(struct wm_arena *arena, const struct wm_path_trie *trie)
{
	uint32_t *leaves = wm_arena_alloc(arena, trie->node_count, sizeof *leaves);
	for (uint32_t i = 0; i < trie->path_count; i++)
		leaves[trie->leaf[i]] = 1;
	for (uint32_t node = trie->node_count; node-- > 1;)
		leaves[trie->parent[node]] += leaves[node];
	return leaves;
}

/* The most pairs of sums that an edge can have to look at. */
static uint64_t most_pairs(const struct wm_prefer_values *values, const uint32_t *leaves)
{
	const struct wm_path_trie *trie = &values->trie;
	uint64_t most = 0;
	for (uint32_t e = 0; e < values->graph->edge_count; e++) {
		uint64_t pairs = 0;
		for (uint32_t i = trie->edge_start[e]; i < trie->edge_start[e + 1]; i++) {
			uint64_t behind = leaves[trie->edge_node[i]];
			pairs += behind * (leaves[trie->parent[trie->edge_node[i]]] - behind);
		}
		most = pairs > most ? pairs : most;
	}
	return most;
}

void wm_prefer_packing_begin(struct wm_arena *arena, struct wm_prefer_values *values)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *leaves = count_leaves(arena, trie);
	uint64_t total = 0;
	values->first = wm_arena_alloc(arena, trie->node_count, sizeof(uint64_t));
	values->filled = wm_arena_alloc(arena, trie->node_count, sizeof(uint32_t));
	for (uint32_t node = 0; node < trie->node_count; node++) {
		values->first[node] = total;
		total += leaves[node];
	}
	values->sum = wm_arena_alloc(arena, total, sizeof(int64_t));
	values->refused = wm_arena_alloc(arena, most_pairs(values, leaves) + 1, sizeof(bool));
}

static int64_t smallest_value(
	const struct wm_prefer_values *values, const uint32_t *node, uint32_t count)
{
	int64_t value = INT64_MIN;
	for (uint32_t i = 0; i < count; i++)
		if (-values->low[node[i]] > value)
			value = -values->low[node[i]];
	return value;
}

/* Marks what this prefix refuses, counted from `smallest`, as far as `limit`. */
static void refuse(struct wm_prefer_values *values, uint32_t node, int64_t smallest, uint64_t limit)
{
	uint32_t before = values->trie.parent[node];
	const int64_t *old = values->sum + values->first[before];
	const int64_t *new = values->sum + values->first[node];
	for (uint32_t i = 0; i < values->filled[before]; i++) {
		for (uint32_t k = 0; k < values->filled[node]; k++) {
			int64_t above = old[i] - new[k] - smallest;
			if (above >= 0 && (uint64_t)above < limit)
				values->refused[above] = true;
		}
	}
}

static void add_sums(struct wm_prefer_values *values, uint32_t node, int64_t value)
{
	uint32_t before = values->trie.parent[node];
	int64_t *sum = values->sum + values->first[before];
	const int64_t *behind = values->sum + values->first[node];
	int64_t low = values->low[node] + value, high = values->high[node] + value;
	bool fresh = values->filled[before] == 0;
	if (fresh || low < values->low[before])
		values->low[before] = low;
	if (fresh || high > values->high[before])
		values->high[before] = high;
	for (uint32_t k = 0; k < values->filled[node]; k++)
		sum[values->filled[before]++] = behind[k] + value;
}

static void give_value(struct wm_prefer_values *values, uint32_t e)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *node = trie->edge_node + trie->edge_start[e];
	uint32_t count = wm_prefer_prefix_count(values, e);
	int64_t smallest = smallest_value(values, node, count);
	uint64_t pairs = 0, above = 0;
	for (uint32_t i = 0; i < count; i++)
		pairs += (uint64_t)values->filled[trie->parent[node[i]]] * values->filled[node[i]];
	memset(values->refused, 0, pairs + 1);
	for (uint32_t i = 0; i < count; i++)
		refuse(values, node[i], smallest, pairs);
	while (values->refused[above])
		above++;
	values->value[e] = smallest + (int64_t)above;
	for (uint32_t i = 0; i < count; i++)
		add_sums(values, node[i], values->value[e]);
}

void wm_prefer_packing(struct wm_prefer_values *values)
{
	size_t nodes = values->trie.node_count;
	memset(values->low, 0, nodes * sizeof(int64_t));
	memset(values->high, 0, nodes * sizeof(int64_t));
	memset(values->filled, 0, nodes * sizeof(uint32_t));
	for (uint32_t i = 0; i < values->trie.path_count; i++) {
		uint32_t leaf = values->trie.leaf[i];
		values->filled[leaf] = 1;
		values->sum[values->first[leaf]] = 0;
	}
	for (uint32_t k = 0; k < values->graph->vertex_count; k++) {
		uint32_t v = values->postorder[k];
		for (uint32_t i = values->start[v]; i < values->start[v + 1]; i++)
			give_value(values, values->order[i]);
	}
}
