/* Residual paths for people and for programs. */
#ifndef WM_REPORT_RESIDUAL_VIEW_H
#define WM_REPORT_RESIDUAL_VIEW_H

#include <stdio.h>

#include "report/residual.h"
#include "report/views.h"

struct wm_residual_view {
	const struct wm_residual_request *sides;
	const struct wm_residual *residual;
	const char *program;	       /* name of the field's */
	bool kinds[WM_RESIDUAL_KINDS]; /* which rows are shown */
	size_t top;		       /* rows */
	bool colour;
	struct wm_sources *sources;
};

void wm_residual_view_print(const struct wm_residual_view *view, FILE *out);

/* All rows of the kinds, or the first `top` unless that is 0. */
void wm_residual_view_json(const struct wm_residual_view *view, FILE *out);

#endif
