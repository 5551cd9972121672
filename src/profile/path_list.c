/* Paths as lists of blocks, with their Ball-Larus numbers. */
#include "profile/path_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

static void index_numbering(struct wm_arena *scratch, struct wm_path_list *list)
{
	const struct wm_paths *numbering = &list->numbering;
	const struct wm_cfg *cfg = list->source->cfg;
	list->inner = wm_none_array(scratch, cfg->edge_count);
	list->end = wm_none_array(scratch, cfg->edge_count);
	list->start = wm_none_array(scratch, cfg->vertex_count);
	for (uint32_t i = 0; i < numbering->graph->edge_count; i++) {
		uint32_t origin = numbering->origin[i];
		switch (numbering->kind[i]) {
		case WM_PATH_EDGE_INNER:
			list->inner[origin] = i;
			break;
		case WM_PATH_EDGE_END:
			list->end[origin] = i;
			break;
		case WM_PATH_EDGE_START:
			list->start[cfg->target[origin]] = i;
			break;
		}
	}
}

int wm_path_list_open(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_path_list *list, struct wm_error *error)
{
	*list = (struct wm_path_list){.arena = arena, .source = source};
	int status =
		wm_paths_number_regions(scratch, source->cfg, source->cut, &list->numbering, error);
	if (status)
		return status;
	index_numbering(scratch, list);
	return 0;
}

static uint64_t value_of(const struct wm_path_list *list, uint32_t edge)
{
	return edge == WM_NONE ? 0 : list->numbering.value[edge];
}

/* The edge between two blocks along which a path goes on. */
static uint32_t edge_between(const struct wm_path_list *list, uint32_t from, uint32_t to)
{
	const struct wm_cfg *cfg = list->source->cfg;
	for (uint32_t k = cfg->out_start[from]; k < cfg->out_start[from + 1]; k++) {
		uint32_t e = cfg->out_edge[k];
		if (cfg->target[e] == to && !list->source->cut[e])
			return list->inner[e];
	}
	return WM_NONE;
}

static uint64_t number_of(const struct wm_path_list *list, const struct wm_profile_path *path)
{
	uint64_t number = value_of(list, list->start[path->blocks[0]]);
	if (path->end_edge == WM_NONE)
		return UINT64_MAX;
	for (uint32_t i = 1; i < path->block_count; i++)
		number += value_of(list, edge_between(list, path->blocks[i - 1], path->blocks[i]));
	number += value_of(list, list->end[path->end_edge]);
	if (list->source->cfg->target[path->end_edge] == list->source->cfg->exit)
		number += value_of(list, list->inner[path->end_edge]);
	return number;
}

static bool is_partial(const struct wm_path_list *list, uint32_t end_edge)
{
	return end_edge == WM_NONE ||
	       (list->source->function->edge_flags[end_edge] & WM_EDGE_ABANDONED);
}

void wm_path_list_add(struct wm_path_list *list, const uint32_t *blocks, uint32_t block_count,
	uint32_t end_edge, uint64_t count)
{
	uint32_t *copy = wm_arena_alloc(list->arena, block_count, sizeof *copy);
	memcpy(copy, blocks, block_count * sizeof *copy);
	list->paths = wm_arena_grow(
		list->arena, list->paths, list->count, &list->capacity, sizeof *list->paths);
	struct wm_profile_path *path = &list->paths[list->count++];
	*path = (struct wm_profile_path){.count = count,
		.partial = is_partial(list, end_edge),
		.block_count = block_count,
		.blocks = copy,
		.end_edge = end_edge};
	path->id = number_of(list, path);
}

static int by_id(const void *left, const void *right)
{
	const struct wm_profile_path *a = left, *b = right;
	return (a->id > b->id) - (a->id < b->id);
}

void wm_path_list_close(struct wm_path_list *list, struct wm_profile_function *result)
{
	/* Not NULL, even if none ran: they are known. */
	list->paths = wm_arena_grow(
		list->arena, list->paths, list->count, &list->capacity, sizeof *list->paths);
	qsort(list->paths, list->count, sizeof *list->paths, by_id);
	result->paths = list->paths;
	result->path_count = list->count;
	result->possible_paths = list->numbering.count;
}
