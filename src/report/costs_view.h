/* What paths and functions cost by a metric, for people and for programs. */
#ifndef WM_REPORT_COSTS_VIEW_H
#define WM_REPORT_COSTS_VIEW_H

#include <stdio.h>

#include "report/costs.h"
#include "report/short_names.h"
#include "report/source.h"

struct wm_costs_view {
	const struct wm_profile *profile;
	const struct wm_costs *costs;
	const char *meter;
	double percent; /* that makes a path or function hot */
	size_t top;	/* rows; 0: all */
	bool colour;
	const struct wm_short_names *names;
	struct wm_sources *sources;
};

void wm_costs_view_print(const struct wm_costs_view *view, FILE *out);
void wm_costs_view_json(const struct wm_costs_view *view, FILE *out);

#endif
