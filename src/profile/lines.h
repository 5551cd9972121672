/* Counts by source line.
 *
 * A function and each call inlined into it are instances of the code they come from. Within an
 * instance a line runs as often as the most frequent of its blocks; over instances the counts add
 * up. The line of an inlined call runs as often as what it called is entered. A line in blocks that
 * never ran counts zero; a line that appears in no block is not executable.
 */
#ifndef WM_PROFILE_LINES_H
#define WM_PROFILE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

struct wm_line {
	uint32_t line;
	uint64_t count;
};

struct wm_line_file {
	const char *path;
	size_t line_count;
	const struct wm_line *lines; /* in rising order, each line once */
};

struct wm_lines {
	size_t file_count;
	struct wm_line_file *files; /* by rising path */
};

/* Counts all lines of the profile; results live in the arena. */
void wm_lines_count(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_lines *lines);

#endif
