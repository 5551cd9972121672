/* Spanning trees of maximum or minimum weight (Kruskal). */
#ifndef WM_CORE_SPANNING_TREE_H
#define WM_CORE_SPANNING_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/graph/cfg.h"

/* Sets in_tree[e] for the edges of a spanning tree (a forest, where the graph is not connected) of
 * the closed graph: edge_count + 1 entries in the arena. The closing edge and the uncountable ones
 * (or NULL for none) come first, whatever they weigh; WM_ERROR_UNSOLVABLE if they hold a cycle. */
int wm_spanning_tree(struct wm_arena *arena, const struct wm_cfg *cfg, const double *weight,
	const bool *uncountable, bool minimum, bool **in_tree, struct wm_error *error);

#endif
