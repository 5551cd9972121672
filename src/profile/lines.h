/* Counts by source line.
 *
 * The text of a function, or of all instances of a template, runs a line as often as the most
 * frequent block of the text that holds it; over texts the counts add up. A line in blocks that
 * never ran counts zero; a line that appears in no block is not executable, but for the one with
 * the function's name, which runs as often as the function is entered. Of text that the
 * optimiser changed beyond recognition only bounds are known, or nothing.
 *
 * Functions whose text is not known count by their code: each function, and each call inlined into
 * it, is an instance of a text. Such counts are those of the text only with --at=early.
 */
#ifndef WM_PROFILE_LINES_H
#define WM_PROFILE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

enum wm_line_state {
	WM_LINE_EXACT,
	WM_LINE_BOUND,	/* the line ran that often or more; or its code did, and its text is not
			   known */
	WM_LINE_UNKNOWN /* it may have run; the count is 0 */
};

struct wm_line {
	uint32_t line;
	enum wm_line_state state;
	uint64_t count;
	uint64_t max; /* of a bound: it ran no more often than that; UINT64_MAX: not known */
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

/* Counts all lines of the profile; results live in the arena. Files of which no line is known are
 * left out. WM_ERROR_INPUT if a description contradicts its source records. */
int wm_lines_count(struct wm_arena *arena, const struct wm_profile *profile, struct wm_lines *lines,
	struct wm_error *error);

#endif
