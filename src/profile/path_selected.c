/* Selected and preferred paths: each has a counter of its own. Other paths share one counter, or
 * are in a table. */
#include "profile/path_counts.h"
#include "profile/path_list.h"

static int add_path(struct wm_path_list *list, struct wm_arena *scratch, uint64_t id,
	uint64_t count, struct wm_error *error)
{
	const struct wm_paths *numbering = &list->numbering;
	const struct wm_cfg *graph = numbering->graph;
	uint32_t *edges = wm_arena_alloc(scratch, graph->vertex_count, sizeof *edges);
	uint32_t *blocks = wm_arena_alloc(scratch, graph->vertex_count, sizeof *blocks);
	uint32_t block_count = 0, length = 0;
	if (id < numbering->count)
		length = wm_paths_decode(numbering, id, edges);
	if (length == 0 || graph->target[edges[length - 1]] != graph->exit)
		return wm_error_set(
			error, WM_ERROR_INPUT, "it selects a path that it does not have");
	for (uint32_t i = 0; i < length; i++)
		if (numbering->kind[edges[i]] != WM_PATH_EDGE_START)
			blocks[block_count++] = graph->source[edges[i]];
	wm_path_list_add(list, blocks, block_count, numbering->origin[edges[length - 1]], count);
	return 0;
}

/* Paths that have counters; the rest of these are others. */
static int add_known(struct wm_path_list *list, struct wm_arena *scratch,
	struct wm_profile_function *result, struct wm_error *error)
{
	const struct wm_solve_source *source = list->source;
	const struct wm_sums_section *section = source->function->sums;
	const uint64_t *counter = source->file->counter + source->first_counter;
	int status = 0;
	for (uint32_t i = 0; i < section->head.counter_count; i++)
		result->others += counter[i];
	result->increments = result->others;
	for (uint32_t i = 0; i < section->key_count && status == 0; i++) {
		uint64_t count = counter[section->keys[i].counter];
		if (count)
			status = add_path(list, scratch, section->keys[i].key, count, error);
		result->others -= count;
	}
	return status;
}

/* Paths in the table that the last counter names. A key holds the path's number above its lower
 * bits. */
static int add_others(struct wm_path_list *list, struct wm_arena *scratch,
	struct wm_profile_function *result, struct wm_error *error)
{
	const struct wm_solve_source *source = list->source;
	const struct wm_sums_section *section = source->function->sums;
	struct wm_history_list table = wm_path_counts_table(
		scratch, source->file, source->first_counter + section->head.counter_count - 1);
	int status = 0;
	for (uint32_t i = 0; i < table.length && status == 0; i++) {
		result->increments += table.items[i].count;
		status = add_path(list, scratch, table.items[i].history >> section->lower_bits,
			table.items[i].count, error);
	}
	return status;
}

int wm_path_counts_selected(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	struct wm_path_list list;
	int status = wm_path_list_open(arena, scratch, source, &list, error);
	if (status == 0)
		status = add_known(&list, scratch, result, error);
	if (status == 0 && source->function->sums->head.measure.placement == WM_PLACEMENT_PREFERRED)
		status = add_others(&list, scratch, result, error);
	if (status == 0)
		wm_path_list_close(&list, result);
	return status;
}
