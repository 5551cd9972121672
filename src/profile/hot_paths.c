/* Ranking of paths: one list of all of them, sorted. */
#include "profile/hot_paths.h"

#include <stdlib.h>

uint64_t wm_hot_path_instructions(
	const struct wm_profile_function *function, const struct wm_profile_path *path)
{
	uint64_t once = 0;
	for (uint32_t i = 0; i < path->block_count; i++)
		once += function->function->blocks[path->blocks[i]].instructions;
	return (int64_t)path->count > 0 ? path->count * once : 0;
}

uint64_t wm_hot_paths_whole(const struct wm_profile *profile)
{
	uint64_t whole = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		uint64_t along_paths = 0;
		for (uint32_t k = 0; k < function->path_count; k++)
			along_paths += wm_hot_path_instructions(function, &function->paths[k]);
		whole +=
			along_paths > function->instructions ? along_paths : function->instructions;
	}
	return whole;
}

static int compare_by_instructions(const void *left, const void *right)
{
	const struct wm_hot_path *a = left, *b = right;
	if (a->instructions != b->instructions)
		return a->instructions > b->instructions ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

static void add_path(struct wm_hot_paths *hot, const struct wm_profile_function *function,
	const struct wm_profile_path *path)
{
	if ((int64_t)path->count <= 0)
		return;
	uint64_t instructions = wm_hot_path_instructions(function, path);
	hot->paths[hot->count++] = (struct wm_hot_path){function, path, instructions};
	hot->instructions += instructions;
	hot->partial += path->partial;
	hot->partial_count += path->partial ? path->count : 0;
}

void wm_hot_paths_rank(struct wm_arena *arena, const struct wm_profile_function *functions,
	uint32_t function_count, struct wm_hot_paths *hot)
{
	size_t max = 0;
	for (uint32_t i = 0; i < function_count; i++)
		max += functions[i].path_count;
	*hot = (struct wm_hot_paths){.paths = wm_arena_alloc(arena, max, sizeof *hot->paths)};
	for (uint32_t i = 0; i < function_count; i++)
		for (uint32_t k = 0; k < functions[i].path_count; k++)
			add_path(hot, &functions[i], &functions[i].paths[k]);
	if (hot->count > 0)
		qsort(hot->paths, hot->count, sizeof *hot->paths, compare_by_instructions);
}

size_t wm_hot_paths_covering(const struct wm_hot_paths *hot, double percent)
{
	double wanted = (double)hot->instructions * percent / 100, sum = 0;
	size_t count = 0;
	while (count < hot->count && sum < wanted)
		sum += (double)hot->paths[count++].instructions;
	return count;
}
