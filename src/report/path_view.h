/* Listings of paths. */
#ifndef WM_REPORT_PATH_VIEW_H
#define WM_REPORT_PATH_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "report/views.h"

/* Whether some function was profiled by paths. */
bool wm_path_view_has_paths(const struct wm_profile *profile);

/* Reads the function's own file, if sources are given: its lines are told of. */
void wm_path_view_note_source(struct wm_sources *sources, const struct wm_function *function);

/* Prints the hottest paths of the whole program: their share in all executed instructions, how
 * often they ran, their names and their stories; and how few paths make up most of the run. */
void wm_path_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

/* Prints the paths of one function: how many of the possible ones ran, where paths are cut, and the
 * hottest ones with their share in the function. Requires that its paths are known. */
void wm_path_view_print_function(const struct wm_profile_function *function,
	const struct wm_view_request *request, FILE *out);

#endif
