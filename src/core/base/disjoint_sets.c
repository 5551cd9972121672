/* Disjoint sets by path halving alone: amortised logarithmic, and the caller chooses
 * representatives, which loop finding needs. */
#include "core/base/disjoint_sets.h"

void wm_disjoint_sets_clear(struct wm_disjoint_sets *sets, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		sets->parent[i] = i;
}

struct wm_disjoint_sets wm_disjoint_sets_make(struct wm_arena *arena, uint32_t count)
{
	struct wm_disjoint_sets sets = {wm_arena_alloc_unset(arena, count, sizeof *sets.parent)};
	wm_disjoint_sets_clear(&sets, count);
	return sets;
}

uint32_t wm_disjoint_sets_find(struct wm_disjoint_sets *sets, uint32_t element)
{
	uint32_t *parent = sets->parent;
	while (parent[element] != element) {
		parent[element] = parent[parent[element]];
		element = parent[element];
	}
	return element;
}

bool wm_disjoint_sets_join(struct wm_disjoint_sets *sets, uint32_t element, uint32_t into)
{
	uint32_t from = wm_disjoint_sets_find(sets, element);
	uint32_t to = wm_disjoint_sets_find(sets, into);
	sets->parent[from] = to;
	return from != to;
}
