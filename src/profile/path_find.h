/* Paths of a function by number, whether they ran or not. */
#ifndef WM_PROFILE_PATH_FIND_H
#define WM_PROFILE_PATH_FIND_H

#include "core/paths/paths.h"
#include "profile/profile.h"

/* Numbers the paths of the function as its description cuts them. WM_ERROR_INPUT if there are more
 * than 2^63. */
int wm_path_find_numbering(struct wm_arena *arena, const struct wm_function *function,
	struct wm_paths *paths, struct wm_error *error);

/* Fills *path; what it points to lives in the arena or in the profile. WM_ERROR_INPUT if the
 * function has no such path, or was not profiled by paths. */
int wm_path_find(struct wm_arena *arena, const struct wm_profile_function *function, uint64_t id,
	struct wm_profile_path *path, struct wm_error *error);

#endif
