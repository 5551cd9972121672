/* Branches that an earlier one decides, for people and for programs. */
#ifndef WM_REPORT_CORRELATED_VIEW_H
#define WM_REPORT_CORRELATED_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/correlated.h"
#include "report/source.h"

struct wm_correlated_view {
	const struct wm_profile *profile;
	const struct wm_correlated *found;
	double percent; /* that makes a branch decided */
	size_t top;	/* rows; 0: all */
	bool colour;
	struct wm_sources *sources;
};

void wm_correlated_view_print(const struct wm_correlated_view *view, FILE *out);
void wm_correlated_view_json(const struct wm_correlated_view *view, FILE *out);

#endif
