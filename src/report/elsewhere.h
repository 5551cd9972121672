/* Where others went: at each branch of a path, the paths that came to it as this one did and then
 * went another way. */
#ifndef WM_REPORT_ELSEWHERE_H
#define WM_REPORT_ELSEWHERE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/path_form.h"
#include "report/short_names.h"

/* Prints a row for each such branch and outcome: how often, the hottest of the paths that went so,
 * and how it went. Nothing if there is none. */
void wm_elsewhere_print(const struct wm_path_map *map, const struct wm_short_names *names,
	const struct wm_profile_path *path, bool colour, FILE *out);

#endif
