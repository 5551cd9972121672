/* What calls did in all, for people: a table of the calls that did most of the first kind. */
#ifndef WM_REPORT_INCLUSIVE_VIEW_H
#define WM_REPORT_INCLUSIVE_VIEW_H

#include "report/count_view.h"

void wm_inclusive_view_print(
	const struct wm_snapshot *snapshot, const struct wm_count_request *request, FILE *out);

#endif
