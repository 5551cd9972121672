/* Parents stand before children, so that one walk knows the height of each. */
#include "core/contexts/shape.h"

#include <stdlib.h>

#include "core/base/none.h"

static void find_heights(
	struct wm_arena *arena, const struct wm_contexts *contexts, struct wm_contexts_shape *shape)
{
	uint32_t *height = wm_arena_alloc(arena, contexts->record_count, sizeof *height);
	uint32_t *children = wm_arena_alloc(arena, contexts->record_count, sizeof *children);
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		height[i] = height[contexts->records[i].parent] + 1;
		children[contexts->records[i].parent]++;
	}
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		shape->inner += children[i] > 0;
		shape->below += children[i];
		shape->heights += children[i] ? 0 : height[i];
		if (height[i] > shape->height_max)
			shape->height_max = height[i];
	}
}

static void find_replication(struct wm_arena *arena, const struct wm_contexts *contexts,
	uint32_t function_count, struct wm_contexts_shape *shape)
{
	uint32_t *records = wm_arena_alloc(arena, function_count, sizeof *records);
	for (uint32_t i = 1; i < contexts->record_count; i++)
		records[contexts->records[i].function]++;
	for (uint32_t i = 0; i < function_count; i++) {
		shape->functions += records[i] > 0;
		if (records[i] > shape->replicated_max) {
			shape->replicated_max = records[i];
			shape->replicated = i;
		}
	}
}

static int by_site(const void *left, const void *right)
{
	const struct wm_context_link *a = *(const struct wm_context_link *const *)left;
	const struct wm_context_link *b = *(const struct wm_context_link *const *)right;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

/* A site from which several functions were called has several links. */
static uint64_t count_sites(struct wm_arena *arena, const struct wm_contexts *contexts)
{
	const struct wm_context_link **links =
		wm_arena_alloc(arena, contexts->link_count, sizeof *links);
	uint32_t count = 0;
	uint64_t sites = 0;
	for (uint32_t i = 0; i < contexts->link_count; i++)
		if (contexts->links[i].count && contexts->links[i].source != WM_CONTEXT_OUTSIDE)
			links[count++] = &contexts->links[i];
	if (count)
		qsort(links, count, sizeof *links, by_site);
	for (uint32_t i = 0; i < count; i++)
		sites += i == 0 || by_site(&links[i - 1], &links[i]) != 0;
	return sites;
}

struct wm_contexts_shape wm_contexts_shape_find(
	const struct wm_contexts *contexts, uint32_t function_count)
{
	struct wm_arena scratch = {0};
	struct wm_contexts_shape shape = {
		.contexts = contexts->record_count - 1, .replicated = WM_NONE};
	find_heights(&scratch, contexts, &shape);
	find_replication(&scratch, contexts, function_count, &shape);
	shape.sites_used = count_sites(&scratch, contexts);
	wm_arena_reset(&scratch);
	return shape;
}
