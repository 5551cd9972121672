/* The user's cache: small files that save work. Each has a name that stands for all that it was
 * made from, so that a file that is there is right, and jobs that make one at the same time make
 * the same.
 */
#ifndef WM_CLI_CACHE_H
#define WM_CLI_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* The path of the file with this name, in the arena; the folder is made if it is not there. NULL if
 * there is no folder that is ours. */
char *wm_cache_path(struct wm_arena *arena, const char *name);

/* Puts the file there as a whole, and removes what has not been used for long. False if it cannot.
 */
bool wm_cache_store(struct wm_arena *arena, const char *path, const void *bytes, size_t count);

/* Notes that the file was used. */
void wm_cache_keep(const char *path);

#endif
