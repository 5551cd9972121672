/* Records stand behind their parents, so one walk from the last to the first adds up the tree. */
#include "core/contexts/costs.h"

#include <string.h>

uint64_t *wm_context_costs(
	struct wm_arena *arena, const struct wm_contexts *contexts, const uint64_t *own)
{
	uint64_t *cost = wm_arena_alloc(arena, contexts->record_count, sizeof *cost);
	memcpy(cost, own, contexts->record_count * sizeof *cost);
	for (uint32_t i = contexts->record_count - 1; i > 0; i--)
		cost[contexts->records[i].parent] += cost[i];
	return cost;
}

/* Marks the records between the two ends of a recursion, the source included. Records above one
 * that is marked may not be: each end has a walk of its own. */
static void mark_between(const struct wm_contexts *contexts, uint32_t link, bool *is_lower_bound)
{
	uint32_t record = contexts->links[link].source;
	for (; record != contexts->links[link].target; record = contexts->records[record].parent)
		is_lower_bound[record] = true;
}

bool *wm_context_lower_bounds(struct wm_arena *arena, const struct wm_contexts *contexts)
{
	bool *is_lower_bound =
		wm_arena_alloc(arena, contexts->record_count, sizeof *is_lower_bound);
	for (uint32_t i = 0; i < contexts->link_count; i++)
		if (wm_contexts_link_is_recursion(contexts, i))
			mark_between(contexts, i, is_lower_bound);
	return is_lower_bound;
}

struct wm_context_sum *wm_context_sums(struct wm_arena *arena, const struct wm_contexts *contexts,
	const uint64_t *own, uint32_t function_count)
{
	struct wm_arena scratch = {0};
	const uint64_t *cost = wm_context_costs(&scratch, contexts, own);
	struct wm_context_sum *sums = wm_arena_alloc(arena, function_count, sizeof *sums);
	const bool *is_lower_bound = wm_context_lower_bounds(&scratch, contexts);
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		sums[contexts->records[i].function].cost += cost[i];
		sums[contexts->records[i].function].is_lower_bound |= is_lower_bound[i];
	}
	wm_arena_reset(&scratch);
	return sums;
}
