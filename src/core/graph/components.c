/* Tarjan's stack of vertices that wait for their component, and beside it the path of the search.
 */
#include "core/graph/components.h"

#include "core/base/none.h"

struct search {
	const uint32_t *first;	/* by vertex: its edges, in the order of sources */
	const uint32_t *target; /* in that order */
	uint32_t *next;		/* by vertex: its edge to follow next */
	uint32_t *number;	/* by vertex: when it was found, from 1; 0: not yet */
	uint32_t *low;		/* by vertex: the first on the stack that it is known to reach */
	uint32_t *component;	/* by vertex, or WM_NONE */
	uint32_t *waiting, *path;
	uint32_t waiting_count, path_count, found, components;
};

static void enter(struct search *search, uint32_t vertex)
{
	search->number[vertex] = search->low[vertex] = ++search->found;
	search->waiting[search->waiting_count++] = vertex;
	search->path[search->path_count++] = vertex;
}

static void lower(struct search *search, uint32_t vertex, uint32_t low)
{
	if (low < search->low[vertex])
		search->low[vertex] = low;
}

/* All that waits behind the vertex, and the vertex, are one component, unless it reaches further.
 */
static void leave(struct search *search, uint32_t vertex)
{
	search->path_count--;
	if (search->path_count)
		lower(search, search->path[search->path_count - 1], search->low[vertex]);
	if (search->low[vertex] != search->number[vertex])
		return;
	uint32_t last;
	do {
		last = search->waiting[--search->waiting_count];
		search->component[last] = search->components;
	} while (last != vertex);
	search->components++;
}

static void visit_from(struct search *search, uint32_t root)
{
	enter(search, root);
	while (search->path_count) {
		uint32_t vertex = search->path[search->path_count - 1];
		if (search->next[vertex] == search->first[vertex + 1]) {
			leave(search, vertex);
			continue;
		}
		uint32_t target = search->target[search->next[vertex]++];
		if (!search->number[target])
			enter(search, target);
		else if (search->component[target] == WM_NONE)
			lower(search, vertex, search->number[target]);
	}
}

/* Counts, then places: `first` has one more entry, the end of the last. */
static void sort_edges(struct wm_arena *arena, uint32_t vertices, uint32_t edges,
	const uint32_t *source, const uint32_t *target, struct search *search)
{
	uint32_t *first = wm_arena_alloc(arena, (size_t)vertices + 1, sizeof *first);
	uint32_t *sorted = wm_arena_alloc(arena, (size_t)edges + 1, sizeof *sorted);
	for (uint32_t e = 0; e < edges; e++)
		first[source[e] + 1]++;
	for (uint32_t v = 0; v < vertices; v++) {
		first[v + 1] += first[v];
		search->next[v] = first[v];
	}
	for (uint32_t e = 0; e < edges; e++)
		sorted[search->next[source[e]]++] = target[e];
	for (uint32_t v = 0; v < vertices; v++)
		search->next[v] = first[v];
	search->first = first;
	search->target = sorted;
}

uint32_t *wm_components_find(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	const uint32_t *source, const uint32_t *target, uint32_t *count)
{
	struct wm_arena scratch = {0};
	size_t room = (size_t)vertex_count + 1;
	struct search search = {.next = wm_arena_alloc(&scratch, room, sizeof(uint32_t)),
		.number = wm_arena_alloc(&scratch, room, sizeof(uint32_t)),
		.low = wm_arena_alloc(&scratch, room, sizeof(uint32_t)),
		.component = wm_none_array(arena, room),
		.waiting = wm_arena_alloc(&scratch, room, sizeof(uint32_t)),
		.path = wm_arena_alloc(&scratch, room, sizeof(uint32_t))};
	sort_edges(&scratch, vertex_count, edge_count, source, target, &search);
	for (uint32_t v = 0; v < vertex_count; v++)
		if (!search.number[v])
			visit_from(&search, v);
	wm_arena_reset(&scratch);
	*count = search.components;
	return search.component;
}
