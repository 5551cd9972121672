/* Selected paths: each has a counter of its own; what all other counters hold are other paths. */
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
		return wm_error_set(error, WM_ERROR_INPUT, "it selects a path that it has not");
	for (uint32_t i = 0; i < length; i++)
		if (numbering->kind[edges[i]] != WM_PATH_EDGE_START)
			blocks[block_count++] = graph->source[edges[i]];
	wm_path_list_add(list, blocks, block_count, numbering->origin[edges[length - 1]], count);
	return 0;
}

int wm_path_counts_selected(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_path_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	const struct wm_function *function = source->function;
	const uint64_t *counter = source->file->counter + source->first_counter;
	struct wm_path_list list;
	int status = wm_path_list_open(arena, scratch, source, &list, error);
	for (uint32_t i = 0; i < function->counter_count; i++)
		result->increments += counter[i];
	result->others = result->increments;
	for (uint32_t i = 0; i < function->key_count && status == 0; i++) {
		uint64_t count = counter[function->keys[i].counter];
		if (count)
			status = add_path(&list, scratch, function->keys[i].key, count, error);
		result->others -= count;
	}
	if (status == 0)
		wm_path_list_close(&list, result);
	return status;
}
