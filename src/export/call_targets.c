/* The links of the tree, added up over contexts. */
#include "export/call_targets.h"

#include <stdlib.h>

#include "core/base/none.h"

static int compare_calls(uint32_t caller, uint32_t site, const struct wm_call_target *with)
{
	if (caller != with->caller)
		return caller < with->caller ? -1 : 1;
	return (site > with->site) - (site < with->site);
}

static int compare(const void *left, const void *right)
{
	const struct wm_call_target *a = left, *b = right;
	int order = compare_calls(a->caller, a->site, b);
	return order ? order : (a->callee > b->callee) - (a->callee < b->callee);
}

static int by_count(const void *left, const void *right)
{
	const struct wm_call_target *a = left, *b = right;
	if (compare_calls(a->caller, a->site, b) || a->count == b->count)
		return compare(left, right);
	return a->count > b->count ? -1 : 1;
}

struct wm_call_targets wm_call_targets_make(
	struct wm_arena *arena, const struct wm_contexts *contexts)
{
	struct wm_call_targets targets = {
		.list = wm_arena_alloc(arena, contexts->link_count, sizeof *targets.list)};
	size_t all = 0;
	for (uint32_t i = 0; i < contexts->link_count; i++) {
		const struct wm_context_link *link = &contexts->links[i];
		uint32_t caller = contexts->records[link->source].function;
		if (caller != WM_NONE && link->count)
			targets.list[all++] = (struct wm_call_target){caller, link->site,
				contexts->records[link->target].function, link->count};
	}
	if (all)
		qsort(targets.list, all, sizeof *targets.list, compare);
	for (size_t i = 0; i < all; i++) {
		struct wm_call_target *last = targets.list + targets.count;
		if (targets.count && compare(last - 1, &targets.list[i]) == 0)
			last[-1].count += targets.list[i].count;
		else
			targets.list[targets.count++] = targets.list[i];
	}
	if (targets.count)
		qsort(targets.list, targets.count, sizeof *targets.list, by_count);
	return targets;
}

const struct wm_call_target *wm_call_targets_of(
	const struct wm_call_targets *targets, uint32_t caller, uint32_t site, size_t *count)
{
	size_t low = 0, high = targets->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_calls(caller, site, &targets->list[middle]) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct wm_call_target *first = targets->list + low;
	for (*count = 0; low + *count < targets->count; ++*count)
		if (compare_calls(caller, site, first + *count) != 0)
			break;
	return first;
}
