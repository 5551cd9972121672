/* Source files, line by line. */
#ifndef WM_REPORT_SOURCE_H
#define WM_REPORT_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/error.h"

struct wm_source {
	const char *path;
	time_t modified;
	size_t line_count;
	const char **lines; /* without their line ends; line 1 is lines[0] */
};

/* Reads the file into the arena. WM_ERROR_SYSTEM if it cannot be read. */
int wm_source_read(
	struct wm_arena *arena, const char *path, struct wm_source *source, struct wm_error *error);

/* Files that were read once, by path. A zeroed struct is an empty set; wm_source_set_free ends it.
 */
struct wm_source_set {
	struct wm_arena arena;
	void *tree;
};

/* Text of a line, or an empty text if the file or the line is not there. Lives as long as the set.
 */
const char *wm_source_set_line(struct wm_source_set *set, const char *path, uint32_t line);

void wm_source_set_free(struct wm_source_set *set);

#endif
