/* Hot paths by rank. The paths of each function are numbered again and looked up in the set. */
#include "profile/path_filter.h"

#include "profile/hot_paths.h"

/* By function: how many of the first `covering` paths are its own. */
static size_t *count_hot(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_hot_paths *hot, size_t covering)
{
	size_t *count = wm_arena_alloc(arena, profile->function_count, sizeof *count);
	for (size_t i = 0; i < covering; i++)
		count[hot->paths[i].function - profile->functions]++;
	return count;
}

/* One name for each function that has hot paths, with all their ids. */
static void resolve_hot(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_hot_paths *hot, struct wm_path_item *item)
{
	size_t covering = wm_hot_paths_covering(hot, item->percent);
	const size_t *count = count_hot(arena, profile, hot, covering);
	uint64_t **next = wm_arena_alloc(arena, profile->function_count, sizeof *next);
	item->names = wm_arena_alloc(arena, profile->function_count, sizeof *item->names);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		if (!count[i])
			continue;
		next[i] = wm_arena_alloc(arena, count[i], sizeof *next[i]);
		item->names[item->name_count++] = (struct wm_path_name){function->name,
			wm_path_cfg_hash(function), .id_count = count[i], .ids = next[i]};
	}
	for (size_t i = 0; i < covering; i++)
		*next[hot->paths[i].function - profile->functions]++ = hot->paths[i].path->id;
}

int wm_path_set_resolve(struct wm_arena *arena, struct wm_path_set *set,
	const struct wm_profile *profile, struct wm_error *error)
{
	struct wm_hot_paths hot;
	wm_hot_paths_rank(arena, profile->functions, profile->function_count, &hot);
	if (set->needs_profile && hot.count == 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: no paths were counted; build with --profile=paths and run the program",
			profile->file.path);
	for (size_t i = 0; i < set->item_count; i++)
		if (set->items[i].kind == WM_PATH_ITEM_HOT)
			resolve_hot(arena, profile, &hot, &set->items[i]);
	set->needs_profile = false;
	return 0;
}

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
	int status = wm_path_numbering(&scratch, function->function, &paths, error);
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
