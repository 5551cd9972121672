/* The paths of a function for a page: what runs, in its order. */
#ifndef WM_HTML_PATHS_H
#define WM_HTML_PATHS_H

#include "html/branches.h"

/* What a path's items start with. */
enum wm_html_item {
	WM_HTML_CODE,	  /* file, lines: of the function itself */
	WM_HTML_INLINED,  /* file, lines */
	WM_HTML_DECISION, /* branch, arm */
	WM_HTML_BLOCKS	  /* blocks, where no line is known */
};

/* Writes the member `paths`, the hottest first. Of each [id, count, instructions, items, ending,
 * blocks].
 * Returns the paths that stand there, and how many. */
const struct wm_profile_path **wm_html_paths_write(struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_profile_function *function,
	const struct wm_html_branches *branches, struct wm_html_files *files, struct wm_json *json,
	size_t *count);

#endif
