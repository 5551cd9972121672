/* Builds that are kept by their build-id, in the user's cache: what readers need of each, so that a
 * profile can be read when its program has been built again. */
#ifndef WM_PROFILE_BUILDS_H
#define WM_PROFILE_BUILDS_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/object.h"

/* Keeps the object at the path; what was not used for longest goes, if there is no room. An object
 * without functions that count is not kept. WM_ERROR_SYSTEM, WM_ERROR_INPUT: it cannot be, and the
 * user should know. */
int wm_builds_keep(const char *path, struct wm_error *error);

/* Reads the object with that build-id, which was at the path. WM_ERROR_MISMATCH: it is not kept;
 * other errors: it cannot be read. */
int wm_builds_read(struct wm_arena *arena, const struct wm_build_id *build_id, const char *path,
	struct wm_object *object, struct wm_error *error);

#endif
