/* Paths with a common prefix have neighbouring numbers: sorted by number, a path shares with the
 * tree built so far exactly what it shares with the path before it. */
#include "core/chosen/path_trie.h"

#include <stdlib.h>

#include "core/base/none.h"

struct numbered {
	uint64_t number;
	uint32_t index;
};

static int by_number(const void *left, const void *right)
{
	uint64_t a = ((const struct numbered *)left)->number;
	uint64_t b = ((const struct numbered *)right)->number;
	return (a > b) - (a < b);
}

static const struct numbered *sort(struct wm_arena *arena, const uint64_t *numbers, uint32_t count)
{
	struct numbered *sorted = wm_arena_alloc(arena, count, sizeof *sorted);
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = (struct numbered){numbers[i], i};
	qsort(sorted, count, sizeof *sorted, by_number);
	return sorted;
}

/* Goes along the path, first over the nodes of the path before it (along[k] after k + 1 edges, of
 * which there are *shared), then over new ones. Returns the last. */
static uint32_t add_path(struct wm_path_trie *trie, const uint32_t *edges, uint32_t length,
	uint32_t *along, uint32_t *shared)
{
	uint32_t k = 0, node = 0;
	while (k < length && k < *shared && trie->edge[along[k]] == edges[k])
		node = along[k++];
	for (; k < length; k++) {
		uint32_t fresh = trie->node_count++;
		trie->parent[fresh] = node;
		trie->edge[fresh] = edges[k];
		node = along[k] = fresh;
	}
	*shared = length;
	return node;
}

static void sort_by_edge(struct wm_arena *arena, uint32_t edge_count, struct wm_path_trie *trie)
{
	trie->edge_start = wm_arena_alloc(arena, (size_t)edge_count + 2, sizeof(uint32_t));
	trie->edge_node = wm_arena_alloc(arena, trie->node_count, sizeof(uint32_t));
	uint32_t *end = trie->edge_start + 1;
	for (uint32_t node = 1; node < trie->node_count; node++)
		end[trie->edge[node]]++;
	for (uint32_t e = 0; e <= edge_count; e++)
		trie->edge_start[e + 1] += trie->edge_start[e];
	uint32_t *next = wm_arena_alloc(arena, (size_t)edge_count + 1, sizeof *next);
	for (uint32_t node = 1; node < trie->node_count; node++) {
		uint32_t e = trie->edge[node];
		trie->edge_node[trie->edge_start[e] + next[e]++] = node;
	}
}

static size_t total_length(
	const struct wm_paths *paths, const uint64_t *numbers, uint32_t count, uint32_t *edges)
{
	size_t total = 0;
	for (uint32_t i = 0; i < count; i++)
		total += wm_paths_decode(paths, numbers[i], edges);
	return total;
}

struct wm_path_trie wm_path_trie_build(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count)
{
	uint32_t longest = paths->graph->vertex_count, shared = 0;
	const struct numbered *sorted = sort(arena, numbers, count);
	uint32_t *edges = wm_arena_alloc(arena, longest, sizeof *edges);
	size_t room = total_length(paths, numbers, count, edges) + 1;
	uint32_t *along = wm_arena_alloc(arena, longest, sizeof *along);
	struct wm_path_trie trie = {
		.path_count = count,
		.node_count = 1,
		.parent = wm_arena_alloc(arena, room, sizeof(uint32_t)),
		.edge = wm_arena_alloc(arena, room, sizeof(uint32_t)),
		.leaf = wm_arena_alloc(arena, count, sizeof(uint32_t)),
	};
	trie.parent[0] = trie.edge[0] = WM_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t length = wm_paths_decode(paths, sorted[i].number, edges);
		trie.leaf[sorted[i].index] = add_path(&trie, edges, length, along, &shared);
	}
	sort_by_edge(arena, paths->graph->edge_count, &trie);
	return trie;
}
