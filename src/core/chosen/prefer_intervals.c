/* Values by intervals, as published (Vaswani 2007, section 3.3).
 *
 * At a vertex each prefix by which interesting paths arrive wants the intervals of sums behind its
 * out-edges side by side: an edge then needs the value (first free place of the prefix) - (start of
 * the interval). An edge has one value for all prefixes, so it gets the largest that any of them
 * needs (the *join*), which leaves holes in the intervals of the others. Sums are distinct because
 * the intervals of a prefix never overlap. By induction no interval ends above the number of paths
 * from its vertex: nothing overflows.
 */
#include <string.h>

#include "core/chosen/prefer_values.h"

void wm_prefer_intervals_begin(struct wm_arena *arena, struct wm_prefer_values *values)
{
	values->next = wm_arena_alloc(arena, values->trie.node_count, sizeof(int64_t));
}

/* The join; then the prefixes before the edge learn what they have behind it. */
static void give_value(struct wm_prefer_values *values, uint32_t e)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *node = trie->edge_node + trie->edge_start[e];
	uint32_t count = wm_prefer_prefix_count(values, e);
	int64_t value = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		int64_t needed = values->next[trie->parent[node[i]]] - values->low[node[i]];
		if (needed > value)
			value = needed;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = trie->parent[node[i]];
		if (values->next[before] == 0)
			values->low[before] = values->low[node[i]] + value;
		values->high[before] = values->high[node[i]] + value;
		values->next[before] = values->high[before] + 1;
	}
	values->value[e] = value;
}

void wm_prefer_intervals(struct wm_prefer_values *values)
{
	size_t bytes = values->trie.node_count * sizeof(int64_t);
	memset(values->low, 0, bytes);
	memset(values->high, 0, bytes);
	memset(values->next, 0, bytes);
	for (uint32_t k = 0; k < values->graph->vertex_count; k++) {
		uint32_t v = values->postorder[k];
		for (uint32_t i = values->start[v]; i < values->start[v + 1]; i++)
			give_value(values, values->order[i]);
	}
}
