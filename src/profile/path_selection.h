/* Which paths have a count. A build may count only some paths of a function (waymark cc --select).
 * Of all others only their total is known, and zero would be a false answer. */
#ifndef WM_PROFILE_PATH_SELECTION_H
#define WM_PROFILE_PATH_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/* What of a profile is not known. */
struct wm_path_selection {
	uint32_t paths_only; /* functions of which paths were counted, no blocks or edges */
	uint32_t selected;   /* those among them of which only selected paths were */
	bool some_functions; /* the build counts chosen functions; of others nothing is known */
};

struct wm_path_selection wm_path_selection_of(const struct wm_profile *profile);

/* Whether only selected paths of the function were counted. */
bool wm_path_selection_is_made(const struct wm_profile_function *function);

/* Whether the path has a count, be it zero. The path may be of another function of the same shape.
 */
bool wm_path_selection_counts(
	const struct wm_profile_function *function, const struct wm_profile_path *path);

#endif
