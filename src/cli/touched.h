/* Which items of a store ran through changed lines, and why. */
#ifndef WM_CLI_TOUCHED_H
#define WM_CLI_TOUCHED_H

#include "cli/changes.h"
#include "cli/stored.h"

struct wm_touched {
	const char **because; /* by item: "parse.c:131-140 in parse_item"; NULL: not touched */
	const char *everything; /* why all tests are meant, or NULL */
};

/* Blocks that hold a changed line are touched. A changed line that is in no block (a declaration, a
 * macro) touches all functions with code of that file. A file of which no program has code touches
 * everything, unless its name, or the end of it, fits one of the patterns (with commas between
 * them; NULL: none). */
void wm_touched_find(struct wm_stored *stored, const struct wm_changes *changes,
	const char *ignore, struct wm_touched *touched);

#endif
