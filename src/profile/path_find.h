/* Paths of a function by number, whether they ran or not. */
#ifndef WM_PROFILE_PATH_FIND_H
#define WM_PROFILE_PATH_FIND_H

#include "core/paths/paths.h"
#include "profile/profile.h"

/* Fills *path; what it points to lives in the arena or in the profile. WM_ERROR_INPUT if the
 * function has no such path, or was not profiled by paths. */
int wm_path_find(struct wm_arena *arena, const struct wm_profile_function *function, uint64_t id,
	struct wm_profile_path *path, struct wm_error *error);

/* The path with this id, below paths->count, as one that never ran: without the edge of the
 * numbering that leads to its start. Its blocks live in the arena. */
void wm_path_decode(struct wm_arena *arena, const struct wm_function *function,
	const struct wm_paths *paths, uint64_t id, struct wm_profile_path *path);

#endif
