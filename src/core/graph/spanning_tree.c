/* Spanning trees by Kruskal's algorithm: edges by weight, each taken unless it closes a cycle. */
#include "core/graph/spanning_tree.h"

#include "core/base/disjoint_sets.h"
#include "core/base/order.h"

static bool take(const struct wm_cfg *cfg, struct wm_disjoint_sets *sets, bool *in_tree, uint32_t e)
{
	in_tree[e] = wm_disjoint_sets_join(sets, cfg->source[e], cfg->target[e]);
	return in_tree[e];
}

static int take_forced(const struct wm_cfg *cfg, struct wm_disjoint_sets *sets, bool *in_tree,
	const bool *uncountable, struct wm_error *error)
{
	take(cfg, sets, in_tree, wm_cfg_closing_edge(cfg));
	for (uint32_t e = 0; uncountable && e < cfg->edge_count; e++)
		if (uncountable[e] && !take(cfg, sets, in_tree, e))
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"the edges that cannot carry a counter form a cycle through "
				"edge %u, from vertex %u to vertex %u",
				e, cfg->source[e], cfg->target[e]);
	return 0;
}

int wm_spanning_tree(struct wm_arena *arena, const struct wm_cfg *cfg, const double *weight,
	const bool *uncountable, bool minimum, bool **in_tree, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(&scratch, cfg->vertex_count);
	*in_tree = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof **in_tree);
	int status = take_forced(cfg, &sets, *in_tree, uncountable, error);
	if (status == 0) {
		uint32_t *order = wm_order_by_weight(&scratch, weight, cfg->edge_count, minimum);
		for (uint32_t i = 0; i < cfg->edge_count; i++)
			if (!(*in_tree)[order[i]])
				take(cfg, &sets, *in_tree, order[i]);
	}
	wm_arena_reset(&scratch);
	return status;
}
