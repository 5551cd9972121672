/* What stands above every listing of a profile: which program, how much work, what else ran. */
#ifndef WM_REPORT_HEADING_H
#define WM_REPORT_HEADING_H

#include <stdio.h>

#include "report/views.h"

void wm_heading_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

/* What the placement of counters saved, if it did: for developers. */
void wm_heading_print_savings(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

#endif
