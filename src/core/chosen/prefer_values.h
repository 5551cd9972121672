/* Two ways to give values to the edges of interesting paths, for one order of edges: the inside of
 * core/chosen/prefer.h, which looks for the order. */
#ifndef WM_CORE_PREFER_VALUES_H
#define WM_CORE_PREFER_VALUES_H

#include "core/chosen/path_trie.h"

struct wm_prefer_values {
	const struct wm_cfg *graph;
	struct wm_path_trie trie;
	const uint32_t *postorder;
	uint32_t *start; /* by vertex: its out-edges on interesting paths are order[start[v] ..
			    start[v+1]-1], in the order to be tried */
	uint32_t *order;
	int64_t *value; /* by edge: the result */
	int64_t *low;	/* by node: smallest and largest sum from its vertex on */
	int64_t *high;
	/* Of intervals. */
	int64_t *next; /* by node: first free place behind the edges done so far */
	/* Of packing. */
	uint64_t *first; /* by node: its sums are sum[first .. first+filled-1] */
	uint32_t *filled;
	int64_t *sum;
	bool *refused; /* by value above the smallest that is possible */
};

/* How many prefixes interesting paths have that end with the edge. */
static inline uint32_t wm_prefer_prefix_count(const struct wm_prefer_values *values, uint32_t e)
{
	return values->trie.edge_start[e + 1] - values->trie.edge_start[e];
}

/* Room for one way or the other, in the arena. */
void wm_prefer_intervals_begin(struct wm_arena *arena, struct wm_prefer_values *values);
void wm_prefer_packing_begin(struct wm_arena *arena, struct wm_prefer_values *values);

/* Fill `value`, `low` and `high` for the present order. */
void wm_prefer_intervals(struct wm_prefer_values *values);
void wm_prefer_packing(struct wm_prefer_values *values);

#endif
