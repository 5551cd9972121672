/* The objects of one run: the program and the libraries that counted into its file. */
#ifndef WM_PROFILE_OBJECTS_H
#define WM_PROFILE_OBJECTS_H

#include "profile/profile.h"

/* Makes one profile of the program's and of those of its libraries, which are read here. Libraries
 * that cannot be read are noted as lost. */
void wm_profile_add_libraries(struct wm_arena *arena, struct wm_profile *profile);

/* Leaves those objects whose path, name or short name ("lzma") fits the pattern of fnmatch. The
 * first of them then stands for the profile. WM_ERROR_INPUT if there is none; the text lists all.
 */
int wm_profile_choose(struct wm_arena *arena, struct wm_profile *profile, const char *pattern,
	struct wm_error *error);

/* The object's name without its folder. */
const char *wm_profile_object_name(const char *path);

#endif
