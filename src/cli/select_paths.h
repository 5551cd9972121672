/* The option --select of readers. An error ends the tool with one line. */
#ifndef WM_CLI_SELECT_PATHS_H
#define WM_CLI_SELECT_PATHS_H

#include <stddef.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* Leaves each of the profiles with the paths of the set only. What of the set matches nowhere gets
 * a warning; if nothing does, that is an error. */
void wm_select_paths(struct wm_arena *arena, const char *command, const char *text,
	struct wm_profile *profiles, size_t count);

#endif
