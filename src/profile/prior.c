/* From a profile to its prior: function by function, and the hottest paths. */
#include "profile/prior.h"

#include "names/path_name.h"
#include "profile/path_filter.h"

/* The paths that ran to their end. */
static void tell_paths(struct wm_arena *arena, const struct wm_profile_function *known,
	struct wm_prior_function *told)
{
	struct wm_prior_path *paths = wm_arena_alloc(arena, known->path_count, sizeof *paths);
	for (uint32_t i = 0; i < known->path_count; i++) {
		const struct wm_profile_path *path = &known->paths[i];
		if (!path->partial && (int64_t)path->count > 0)
			paths[told->path_count++] = (struct wm_prior_path){path->id, path->count};
	}
	told->paths = paths;
}

static struct wm_prior_function tell_function(
	struct wm_arena *arena, const struct wm_profile_function *known)
{
	const struct wm_function *function = known->function;
	struct wm_prior_function told = {.name = function->name,
		.file = function->scopes[0].file,
		.flags = function->flags & WM_DESCRIPTION_PEELED ? WM_PRIOR_PEELED : 0,
		.block_count = function->block_count,
		.edge_count = function->edge_count,
		.graph = wm_prior_graph_hash(function),
		.cfg_hash = wm_path_cfg_hash(function),
		.block = known->block,
		.edge = known->edge};
	if (known->paths)
		tell_paths(arena, known, &told);
	return told;
}

static struct wm_prior_share tell_share(struct wm_arena *arena, const struct wm_path_item *item)
{
	struct wm_prior_hot_function *functions =
		wm_arena_alloc(arena, item->name_count, sizeof *functions);
	for (size_t i = 0; i < item->name_count; i++)
		functions[i] = (struct wm_prior_hot_function){item->names[i].function,
			item->names[i].hash, (uint32_t)item->names[i].id_count, item->names[i].ids};
	return (struct wm_prior_share){item->percent, (uint32_t)item->name_count, functions};
}

/* Why no path is hot stands where those that are would be. */
static void tell_hot(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_path_set *set, struct wm_prior_content *content)
{
	struct wm_error reason;
	struct wm_prior_share *shares = wm_arena_alloc(arena, set->item_count, sizeof *shares);
	if (wm_path_set_resolve(arena, set, profile, &reason)) {
		content->without_hot = wm_arena_copy_text(arena, reason.text);
		return;
	}
	for (size_t i = 0; i < set->item_count; i++)
		if (set->items[i].kind == WM_PATH_ITEM_HOT)
			shares[content->share_count++] = tell_share(arena, &set->items[i]);
	content->shares = shares;
}

void wm_profile_tell(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_path_set *set, struct wm_prior_content *content)
{
	struct wm_prior_function *functions =
		wm_arena_alloc(arena, profile->function_count, sizeof *functions);
	for (uint32_t i = 0; i < profile->function_count; i++)
		functions[i] = tell_function(arena, &profile->functions[i]);
	*content = (struct wm_prior_content){
		.function_count = profile->function_count, .functions = functions};
	if (set->needs_profile)
		tell_hot(arena, profile, set, content);
}
