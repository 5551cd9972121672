/* The control-flow graph of a function with a path drawn in. */
#ifndef WM_CLI_PATH_DOT_H
#define WM_CLI_PATH_DOT_H

#include <stdio.h>

#include "report/path_form.h"

/* Draws blocks with their lines and counts, edges with outcomes and counts; the pieces of the path,
 * which run one after another, are marked. */
void wm_path_dot_write(const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, const char *title,
	FILE *out);

#endif
