/* Lines of sources that were changed or deleted, as the state before has them. */
#ifndef WM_CLI_CHANGES_H
#define WM_CLI_CHANGES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_change {
	const char *file; /* as git or the user names it */
	uint32_t first, last; /* lines; 0 to 0: the file as a whole */
};

struct wm_changes {
	size_t count, capacity;
	struct wm_change *list;
};

/* What `git diff` says of the range; where lines were added only, those around them. A range that
 * git does not know, or no repository, ends the tool with one line. */
void wm_changes_of_git(struct wm_arena *arena, const char *command, const char *range,
	struct wm_changes *changes);

/* FILE:LINE, FILE:FIRST-LAST, several ranges with commas between them, or FILE. */
void wm_changes_parse(struct wm_arena *arena, const char *command, const char *text,
	struct wm_changes *changes);

#endif
