/* The listing of functions. */
#ifndef WM_REPORT_FUNCTION_VIEW_H
#define WM_REPORT_FUNCTION_VIEW_H

#include <stdio.h>

#include "report/views.h"

/* Prints the functions that did most of the work: their share with a bar, calls, work per call, and
 * how many of the possible paths ran. */
void wm_function_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

#endif
