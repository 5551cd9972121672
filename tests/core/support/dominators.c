/* Dominators after Lengauer & Tarjan 1979 with simple linking: n log n, without recursion.
 *
 * Vertices go by preorder number plus one; number 0 is the outside, from which all roots of the
 * search and all targets of re-entries are reached. Invariant: vertices with numbers above the one
 * at hand are linked below their parents, and label[v] has the smallest semidominator between v and
 * the top of its part of the forest.
 */
#include "support/dominators.h"

struct finder {
	const struct wm_cfg *cfg;
	const struct wm_depth_first *order;
	uint32_t *semidominator; /* all by number */
	uint32_t *dominator;
	uint32_t *ancestor; /* in the forest; WM_NONE while not linked */
	uint32_t *label;
	uint32_t *path;
	uint32_t *first_in_bucket; /* list of those whose semidominator this is */
	uint32_t *next_in_bucket;
};

static uint32_t number_of(const struct finder *finder, uint32_t vertex)
{
	return finder->order->preorder_number[vertex] + 1;
}

static uint32_t parent_of(const struct finder *finder, uint32_t number)
{
	uint32_t parent = finder->order->parent[finder->order->preorder[number - 1]];
	return parent == WM_NONE ? 0 : number_of(finder, parent);
}

/* Hangs every vertex on the way to the top directly below the top, carrying the best labels down.
 */
static void compress(struct finder *finder, uint32_t number)
{
	uint32_t depth = 0;
	uint32_t *ancestor = finder->ancestor;
	for (uint32_t v = number; ancestor[ancestor[v]] != WM_NONE; v = ancestor[v])
		finder->path[depth++] = v;
	while (depth) {
		uint32_t v = finder->path[--depth];
		uint32_t above = finder->label[ancestor[v]];
		if (finder->semidominator[above] < finder->semidominator[finder->label[v]])
			finder->label[v] = above;
		ancestor[v] = ancestor[ancestor[v]];
	}
}

static uint32_t evaluate(struct finder *finder, uint32_t number)
{
	if (finder->ancestor[number] != WM_NONE)
		compress(finder, number);
	return finder->label[number];
}

static void find_semidominator(struct finder *finder, uint32_t number)
{
	const struct wm_cfg *cfg = finder->cfg;
	uint32_t vertex = finder->order->preorder[number - 1];
	uint32_t smallest = parent_of(finder, number);
	for (uint32_t i = cfg->in_start[vertex]; i < cfg->in_start[vertex + 1]; i++) {
		uint32_t source = cfg->source[cfg->in_edge[i]];
		uint32_t candidate = 0;
		if (source != cfg->exit)
			candidate =
				finder->semidominator[evaluate(finder, number_of(finder, source))];
		if (candidate < smallest)
			smallest = candidate;
	}
	finder->semidominator[number] = smallest;
}

static void process(struct finder *finder, uint32_t number)
{
	uint32_t parent = parent_of(finder, number);
	find_semidominator(finder, number);
	uint32_t *bucket = &finder->first_in_bucket[finder->semidominator[number]];
	finder->next_in_bucket[number] = *bucket;
	*bucket = number;
	finder->ancestor[number] = parent;
	for (uint32_t v = finder->first_in_bucket[parent]; v != WM_NONE;
		v = finder->next_in_bucket[v]) {
		uint32_t best = evaluate(finder, v);
		bool earlier = finder->semidominator[best] < finder->semidominator[v];
		finder->dominator[v] = earlier ? best : parent;
	}
	finder->first_in_bucket[parent] = WM_NONE;
}

static void hand_over(struct finder *finder, uint32_t *immediate)
{
	for (uint32_t number = 1; number <= finder->cfg->vertex_count; number++) {
		uint32_t *dominator = finder->dominator;
		if (dominator[number] != finder->semidominator[number])
			dominator[number] = dominator[dominator[number]];
		if (dominator[number])
			immediate[finder->order->preorder[number - 1]] =
				finder->order->preorder[dominator[number] - 1];
	}
}

uint32_t *wm_dominators_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order)
{
	struct wm_arena scratch = {0};
	size_t numbers = (size_t)cfg->vertex_count + 1;
	struct finder finder = {
		.cfg = cfg,
		.order = order,
		.semidominator = wm_arena_alloc(&scratch, numbers, sizeof(uint32_t)),
		.dominator = wm_arena_alloc(&scratch, numbers, sizeof(uint32_t)),
		.ancestor = wm_none_array(&scratch, numbers),
		.label = wm_arena_alloc(&scratch, numbers, sizeof(uint32_t)),
		.path = wm_arena_alloc(&scratch, numbers, sizeof(uint32_t)),
		.first_in_bucket = wm_none_array(&scratch, numbers),
		.next_in_bucket = wm_none_array(&scratch, numbers),
	};
	for (uint32_t number = 0; number < numbers; number++)
		finder.label[number] = finder.semidominator[number] = number;
	for (uint32_t number = cfg->vertex_count; number > 0; number--)
		process(&finder, number);
	uint32_t *immediate = wm_none_array(arena, cfg->vertex_count);
	hand_over(&finder, immediate);
	wm_arena_reset(&scratch);
	return immediate;
}
