/* Paths by number: among those that ran, or else decoded from the numbering. */
#include "profile/path_find.h"

#include <inttypes.h>
#include <stdlib.h>

#include "names/path_name.h"
#include "names/text_name.h"

static int compare_id(const void *key, const void *element)
{
	uint64_t id = *(const uint64_t *)key;
	const struct wm_profile_path *path = element;
	return (id > path->id) - (id < path->id);
}

void wm_path_decode(struct wm_arena *arena, const struct wm_function *function,
	const struct wm_paths *paths, uint64_t id, struct wm_profile_path *path)
{
	*path = (struct wm_profile_path){.id = id};
	uint32_t *edges = wm_arena_alloc(arena, paths->graph->vertex_count, sizeof *edges);
	uint32_t *blocks = wm_arena_alloc(arena, function->block_count, sizeof *blocks);
	uint32_t count = wm_paths_decode(paths, id, edges);
	for (uint32_t i = 0; i < count; i++) {
		bool starts = paths->kind[edges[i]] == WM_PATH_EDGE_START;
		if (!starts)
			blocks[path->block_count++] = paths->graph->source[edges[i]];
	}
	path->blocks = blocks;
	path->end_edge = paths->origin[edges[count - 1]];
	path->partial = function->edge_flags[path->end_edge] & WM_EDGE_ABANDONED;
}

int wm_path_find(struct wm_arena *arena, const struct wm_profile_function *function, uint64_t id,
	struct wm_profile_path *path, struct wm_error *error)
{
	const char *name = wm_text_name(arena, function->function->name);
	struct wm_paths paths;
	if (!function->paths)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the paths of function '%.200s' were not counted; build with "
			"--profile=paths",
			name);
	const struct wm_profile_path *ran = bsearch(
		&id, function->paths, function->path_count, sizeof *function->paths, compare_id);
	if (ran) {
		*path = *ran;
		return 0;
	}
	if (id >= function->possible_paths)
		return wm_error_set(error, WM_ERROR_INPUT,
			"function '%.200s' has %" PRIu64 " paths, from 0 on: none is %" PRIu64,
			name, function->possible_paths, id);
	int status = wm_path_numbering(arena, function->function, &paths, error);
	if (status < 0)
		return status;
	wm_path_decode(arena, function->function, &paths, id, path);
	return 0;
}
