/* The functions of a page, with their branches, paths, calls and graphs. */
#ifndef WM_HTML_FUNCTIONS_H
#define WM_HTML_FUNCTIONS_H

#include "html/files.h"

/* The paths of a function that a page holds: the hottest. */
enum { WM_HTML_MAX_PATHS = 400 };

/* Writes the members `functions`, in the order of the profile, and `hot`: of each of the hottest
 * routes [function, indices of paths that run one after another, count, instructions, name]. */
void wm_html_functions_write(
	const struct wm_html_side *side, struct wm_html_files *files, struct wm_json *json);

#endif
