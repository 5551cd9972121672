/* The source lines of a path, each once, with the outcomes of their branches. */
#ifndef WM_REPORT_PATH_SOURCE_H
#define WM_REPORT_PATH_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/path_form.h"
#include "report/source.h"

/* A line that a path runs through. */
struct wm_path_mark {
	const char *file;
	uint32_t line;
	const char *outcomes; /* of the branches that end on it, in their order; may be empty */
};

/* The lines of paths that run one after another: the function's own file first, the others
 * as they are met; lines rising, each once. */
struct wm_path_mark *wm_path_marks(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, size_t *mark_count);

#endif
