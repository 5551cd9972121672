/* A selected path has a key with a counter of its own. Paths that are left early have no end at
 * which a sum could be looked at: where blocks are not known, these paths are not known either. */
#include "profile/path_selection.h"

bool wm_path_selection_is_made(const struct wm_profile_function *function)
{
	const struct wm_sums_section *sums = function->function->sums;
	return sums && sums->head.measure.placement == WM_PLACEMENT_SELECTED;
}

struct wm_path_selection wm_path_selection_of(const struct wm_profile *profile)
{
	struct wm_path_selection result = {0};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		result.paths_only += !profile->functions[i].block;
		result.selected += wm_path_selection_is_made(&profile->functions[i]);
		result.some_functions |=
			profile->functions[i].function->flags & WM_DESCRIPTION_CHOSEN;
	}
	result.some_functions |= result.selected > 0;
	return result;
}

bool wm_path_selection_counts(
	const struct wm_profile_function *function, const struct wm_profile_path *path)
{
	const struct wm_sums_section *sums = function->function->sums;
	if (!wm_path_selection_is_made(function))
		return function->block || !path->partial;
	for (uint32_t i = 0; i < sums->key_count; i++)
		if (sums->keys[i].key == path->id)
			return true;
	return false;
}
