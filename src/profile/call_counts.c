/* Calls follow from blocks.
 *
 * A call is made each time that control reaches it in its block, so as often as the block is
 * entered, less the times that control ended in the block before the call. The count of the block's
 * abandoned edge is how often control ended anywhere in the block. So a call is exact if control
 * can end only on one of its sides, or did not end in the block; otherwise both bounds are known.
 *
 * `fork` comes back in two processes and makes the count of an abandoned edge smaller. Then it
 * bounds nothing, and calls between two places where control may end are not known. */
#include "profile/call_counts.h"

/* By block: its edge of calls that did not come back, plus 1; or 0. */
static uint32_t *find_abandoned(struct wm_arena *arena, const struct wm_function *function)
{
	uint32_t *found = wm_arena_alloc(arena, function->block_count + 1, sizeof *found);
	for (uint32_t edge = 0; edge < function->edge_count; edge++)
		if (function->edge_flags[edge] & WM_EDGE_ABANDONED)
			found[function->edge_source[edge]] = edge + 1;
	return found;
}

static struct wm_interval count_call(const struct wm_profile_function *source,
	const struct wm_call_site *call, uint32_t abandoned, bool forked)
{
	const struct wm_interval unknown = {WM_NO_LOW, WM_NO_HIGH};
	int64_t entered = (int64_t)source->block[call->block];
	if (!(call->flags & WM_CALL_BEHIND) || entered == 0)
		return wm_interval_of(entered);
	if (!source->edge || !abandoned)
		return forked ? unknown : (struct wm_interval){0, entered};
	int64_t ended = (int64_t)source->edge[abandoned - 1];
	if (!(call->flags & WM_CALL_IN_FRONT))
		return wm_interval_of(entered - ended);
	if (forked || ended < 0)
		return unknown;
	return (struct wm_interval){entered - ended, entered};
}

struct wm_interval *wm_call_counts(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_function *source)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = source->function;
	const uint32_t *abandoned = find_abandoned(&scratch, function);
	bool forked = profile->file.status & WM_STATUS_FORKED;
	struct wm_interval *counts = wm_arena_alloc(arena, function->call_count, sizeof *counts);
	for (uint32_t i = 0; i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		counts[i] = source->block ? count_call(source, call, abandoned[call->block], forked)
					  : (struct wm_interval){WM_NO_LOW, WM_NO_HIGH};
	}
	wm_arena_reset(&scratch);
	return counts;
}
