/* `waymark plan --compare`: what several placements of counters would have cost programs that ran.
 */
#ifndef WM_CLI_COMPARE_H
#define WM_CLI_COMPARE_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* Prints a listing with a row for each profile, or one JSON object. A profile that does not know
 * its edges ends the tool with one line, before anything is printed. */
void wm_compare_print(
	struct wm_arena *arena, const struct wm_profile *profiles, size_t profile_count, bool json);

#endif
