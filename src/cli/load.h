/* Finding and reading the profiles that a command names. An error ends the tool with one line. */
#ifndef WM_CLI_LOAD_H
#define WM_CLI_LOAD_H

#include <dirent.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* Whether the name ends as that of a profile does: a filter for scandir. */
int wm_load_is_profile(const struct dirent *entry);

/* Path of the .wmk file in the working directory that was written last, in the arena; NULL if there
 * is none. */
char *wm_load_find_newest(struct wm_arena *arena);

/* The same, but there must be one. */
char *wm_load_newest(struct wm_arena *arena);

/* Reads one .wmk file. */
void wm_load_file(struct wm_arena *arena, const char *path, struct wm_file *file);

/* Joins a file with its object (at `binary` unless NULL), as wm_profile_make. */
void wm_load_profile(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile);

/* Reads *count files, or the newest if there are none; those of one build are added. *count becomes
 * the number of profiles. `binary` may name the object of all of them, unless they are of several;
 * then the line starts with the command's name. */
struct wm_profile *wm_load_profiles(struct wm_arena *arena, const char *command, char **paths,
	const char *binary, size_t *count);

#endif
