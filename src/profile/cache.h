/* The user's cache: folders of files. Each file has a name that stands for all that it was made
 * from, so that a file that is there is right, and jobs that make one at the same time make the
 * same.
 */
#ifndef WM_PROFILE_CACHE_H
#define WM_PROFILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/error.h"

/* The path of the folder with this name, in the arena. WM_ERROR_MISMATCH: it is not there;
 * WM_ERROR_SYSTEM: there can be none; WM_ERROR_INPUT: others may write there. */
int wm_cache_find(struct wm_arena *arena, const char *name, char **folder, struct wm_error *error);

/* The same; it is made if it is not there. */
int wm_cache_make(struct wm_arena *arena, const char *name, char **folder, struct wm_error *error);

/* Whether the user has said where the cache is to be. */
bool wm_cache_is_chosen(void);

/* FOLDER/NAME, in the arena. */
char *wm_cache_path(struct wm_arena *arena, const char *folder, const char *name);

/* Puts the file there as a whole. WM_ERROR_SYSTEM if it cannot be written. */
int wm_cache_store(struct wm_arena *arena, const char *path, const void *bytes, size_t count,
	struct wm_error *error);

/* Notes that the file was used. */
void wm_cache_keep(const char *path);

/* How much of a folder stays: what was used last. */
struct wm_cache_limits {
	const char *ending; /* only files with that in their names; NULL: all but hidden ones */
	uint64_t files;
	uint64_t bytes;
	time_t age; /* seconds */
};

/* Removes what exceeds the limits. Returns how many bytes are left. */
uint64_t wm_cache_clean(
	struct wm_arena *arena, const char *folder, const struct wm_cache_limits *limits);

#endif
