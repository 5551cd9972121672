/* Reading the profiles that a command names. An error ends the tool with one line. */
#ifndef WM_CLI_LOAD_H
#define WM_CLI_LOAD_H

#include <stddef.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* Reads one .wmk file. */
void wm_load_file(struct wm_arena *arena, const char *path, struct wm_file *file);

/* Joins a file with its objects, as wm_profile_make; the option names the program. */
void wm_load_profile_of(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	const char *option, struct wm_profile *profile);

/* What all functions were built for, if no block of any was counted; otherwise WM_QUANTITY_BLOCKS.
 */
enum wm_quantity wm_load_counted_instead(const struct wm_profile *profile);

/* Whether some function of it was built with sentinels instead of counters. */
bool wm_load_has_sentinels(const struct wm_profile *profile);

/* Ends the tool if so: nobody knows what these functions ran. */
void wm_load_refuse_sentinels(const char *command, const struct wm_profile *profile);

/* Ends the tool if the build counted no code at all: only running sums of events, calls by context,
 * or what a trace needs. The line names the command that shows these. */
void wm_load_refuse_uncounted(const char *command, const struct wm_profile *profile);

/* Leaves the objects of the run that fit the pattern; all for NULL. */
void wm_load_choose_object(struct wm_arena *arena, const char *command, struct wm_profile *profile,
	const char *pattern);

/* Reads the profiles that *count words mean (find_profiles.h); those of one build are added. *count
 * becomes the number of profiles. Those whose program is gone, and those that no word names and
 * that cannot be read, are left out with one warning, if others are left. `binary` may name the
 * object of all of them, unless they are of several; then the line starts with the command's name.
 */
struct wm_profile *wm_load_profiles(struct wm_arena *arena, const char *command, char **words,
	const char *binary, size_t *count);

#endif
