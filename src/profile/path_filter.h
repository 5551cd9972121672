/* Sets of paths and profiles: which paths of a profile are hot, and what is left of it. */
#ifndef WM_PROFILE_PATH_FILTER_H
#define WM_PROFILE_PATH_FILTER_H

#include "names/path_set.h"
#include "profile/profile.h"

/* Finds the hottest paths of the profile for the items that ask for them. WM_ERROR_INPUT if it has
 * no paths. */
int wm_path_set_resolve(struct wm_arena *arena, struct wm_path_set *set,
	const struct wm_profile *profile, struct wm_error *error);

/* Leaves only those of the profile's paths that are in the set; resolves it, too. Errors as of
 * that and of wm_path_set_match. */
int wm_path_set_filter(struct wm_arena *arena, struct wm_path_set *set, struct wm_profile *profile,
	struct wm_error *error);

#endif
