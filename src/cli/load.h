/* Finding and reading the profiles a command speaks of. Trouble ends the tool with one line. */
#ifndef WM_CLI_LOAD_H
#define WM_CLI_LOAD_H

#include <dirent.h>

#include "core/arena.h"
#include "profile/profile.h"

/* Whether the name ends as that of a profile does: a filter for scandir. */
int wm_load_is_profile(const struct dirent *entry);

/* Path of the .wmk file in the working directory that was written last; in the arena. */
char *wm_load_newest(struct wm_arena *arena);

/* Reads one .wmk file. */
void wm_load_file(struct wm_arena *arena, const char *path, struct wm_file *file);

/* Joins a file with its object (at `binary` unless NULL), as wm_profile_make. */
void wm_load_profile(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile);

#endif
