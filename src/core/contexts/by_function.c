#include "core/contexts/by_function.h"

static uint32_t merged_site(uint32_t source, uint32_t site)
{
	return source == WM_CONTEXT_OUTSIDE ? site : 0;
}

/* Links are made where records are: a link that is not the first of its record makes none. */
static uint32_t *merge_records(
	struct wm_arena *arena, const struct wm_contexts *contexts, struct wm_contexts *merged)
{
	uint32_t *record_of = wm_arena_alloc(arena, contexts->record_count, sizeof *record_of);
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		const struct wm_context_record *record = &contexts->records[i];
		uint32_t link = wm_contexts_link(merged, record_of[record->parent],
			merged_site(record->parent, record->site), record->function);
		record_of[i] = merged->links[link].target;
	}
	return record_of;
}

struct wm_contexts_by_function wm_contexts_merge_sites(
	struct wm_arena *arena, const struct wm_contexts *contexts)
{
	struct wm_contexts_by_function result = {.contexts = wm_contexts_make(arena)};
	const uint32_t *record_of = merge_records(arena, contexts, &result.contexts);
	for (uint32_t i = 0; i < contexts->link_count; i++) {
		const struct wm_context_link *link = &contexts->links[i];
		uint32_t at = wm_contexts_link(&result.contexts, record_of[link->source],
			merged_site(link->source, link->site),
			contexts->records[link->target].function);
		result.contexts.links[at].count += link->count;
	}
	result.record_of = record_of;
	return result;
}

uint64_t *wm_contexts_merge_figures(struct wm_arena *arena, const struct wm_contexts *contexts,
	const struct wm_contexts_by_function *merged, const uint64_t *figures)
{
	uint64_t *sums = wm_arena_alloc(arena, merged->contexts.record_count, sizeof *sums);
	for (uint32_t i = 0; i < contexts->record_count; i++)
		sums[merged->record_of[i]] += figures[i];
	return sums;
}
