/* A profile with the paths of a set only: each function is numbered anew and asked. */
#include "profile/path_find.h"
#include "profile/path_set.h"

static void keep(struct wm_arena *arena, const struct wm_path_ranges *ranges,
	struct wm_profile_function *function)
{
	struct wm_profile_path *kept = wm_arena_alloc(arena, function->path_count, sizeof *kept);
	uint32_t count = 0;
	for (uint32_t i = 0; i < function->path_count; i++)
		if (wm_path_ranges_have(ranges, function->paths[i].id))
			kept[count++] = function->paths[i];
	function->paths = kept;
	function->path_count = count;
}

static int filter(struct wm_arena *arena, struct wm_path_set *set,
	struct wm_profile_function *function, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	struct wm_paths paths;
	struct wm_path_ranges ranges;
	int status = wm_path_find_numbering(&scratch, function->function, &paths, error);
	if (status == 0)
		status = wm_path_set_match(
			&scratch, set, function->function, &paths, &ranges, error);
	if (status == 0)
		keep(arena, &ranges, function);
	wm_arena_reset(&scratch);
	return status;
}

int wm_path_set_filter(struct wm_arena *arena, struct wm_path_set *set, struct wm_profile *profile,
	struct wm_error *error)
{
	int status = wm_path_set_resolve(arena, set, profile, error);
	for (uint32_t i = 0; i < profile->function_count && status == 0; i++)
		if (profile->functions[i].paths)
			status = filter(arena, set, &profile->functions[i], error);
	return status;
}
