/* Paths of a function by number, whether they ran or not. */
#ifndef WM_PROFILE_PATH_FIND_H
#define WM_PROFILE_PATH_FIND_H

#include "profile/profile.h"

/* Fills *path; what it points to lives in the arena or in the profile. WM_ERROR_INPUT if the
 * function has no such path, or was not profiled by paths. */
int wm_path_find(struct wm_arena *arena, const struct wm_profile_function *function, uint64_t id,
	struct wm_profile_path *path, struct wm_error *error);

#endif
