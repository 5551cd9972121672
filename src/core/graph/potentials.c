/* Potentials: one walk over the tree, against the edges where need be, then one pass over all
 * edges. */
#include "core/graph/potentials.h"

struct walk {
	const struct wm_cfg *cfg;
	bool *reached;
	uint32_t *stack;
	uint32_t depth;
	uint64_t *potential;
};

static void reach(struct walk *walk, uint32_t v, uint64_t potential)
{
	if (walk->reached[v])
		return;
	walk->reached[v] = true;
	walk->potential[v] = potential;
	walk->stack[walk->depth++] = v;
}

static void walk_tree(struct walk *walk, uint32_t root, const bool *in_tree, const uint64_t *value)
{
	const struct wm_cfg *cfg = walk->cfg;
	reach(walk, root, 0);
	while (walk->depth) {
		uint32_t v = walk->stack[--walk->depth];
		uint64_t potential = walk->potential[v];
		for (uint32_t i = cfg->out_start[v]; i < cfg->out_start[v + 1]; i++) {
			uint32_t e = cfg->out_edge[i];
			if (in_tree[e])
				reach(walk, cfg->target[e], potential + value[e]);
		}
		for (uint32_t i = cfg->in_start[v]; i < cfg->in_start[v + 1]; i++) {
			uint32_t e = cfg->in_edge[i];
			if (in_tree[e])
				reach(walk, cfg->source[e], potential - value[e]);
		}
	}
}

void wm_potentials(struct wm_arena *scratch, const struct wm_cfg *cfg, const bool *in_tree,
	const uint64_t *value, uint64_t *potential)
{
	struct walk walk = {
		.cfg = cfg,
		.reached = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *walk.reached),
		.stack = wm_arena_alloc_unset(scratch, cfg->vertex_count, sizeof *walk.stack),
		.potential = potential,
	};
	walk_tree(&walk, cfg->entry, in_tree, value);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (!walk.reached[v])
			walk_tree(&walk, v, in_tree, value);
}

void wm_potentials_increments(const struct wm_cfg *cfg, const uint64_t *value,
	const uint64_t *potential, uint64_t *increment)
{
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		increment[e] = value[e] + potential[cfg->source[e]] - potential[cfg->target[e]];
}
