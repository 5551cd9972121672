/* A comparison of two profiles for people and for programs. */
#ifndef WM_REPORT_DIFF_VIEW_H
#define WM_REPORT_DIFF_VIEW_H

#include <stdio.h>

#include "report/path_diff.h"
#include "report/views.h"

/* Prints how much the work changed, both profiles' headings, how far they agree, and by function
 * what changed. Of the request only top, colour, chosen, names and sources matter. */
void wm_diff_view_print(const struct wm_profile *before, const struct wm_profile *after,
	const struct wm_view_request *request, FILE *out);

/* The same as one JSON object; docs/waymark-diff.1.scd describes it. Of the request only top, 0 for
 * all rows, and chosen matter. */
void wm_diff_view_json(const struct wm_profile *before, const struct wm_profile *after,
	const struct wm_view_request *request, FILE *out);

#endif
