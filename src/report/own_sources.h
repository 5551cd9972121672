/* Which sources are a program's own, and which are of libraries whose code was inlined.
 *
 * The root is the folder that all sources with code have in common, headers left aside: headers of
 * libraries may stand anywhere, but the program's other sources are its own. What is below the root
 * is the program's, unless it is below a folder of the system's headers and the root is not.
 */
#ifndef WM_REPORT_OWN_SOURCES_H
#define WM_REPORT_OWN_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* The folder, which ends with a slash, in the arena; an empty text if there is none: then all
 * sources are the program's own. */
const char *wm_own_sources_root(struct wm_arena *arena, const struct wm_profile *profile);

/* Whether the file is the program's own. */
bool wm_own_sources_have(const char *root, const char *file);

#endif
