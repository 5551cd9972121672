/* A flame graph: one SVG file that needs nothing else. */
#ifndef WM_HTML_FLAME_H
#define WM_HTML_FLAME_H

#include <stdio.h>

#include "export/data.h"

struct wm_flame_request {
	const char *version; /* of waymark */
	enum wm_metric metric;
	double min; /* share of all that a stack must have to be drawn */
};

/* The metric is known, and its sum is not 0. */
void wm_flame_write(
	const struct wm_export_data *data, const struct wm_flame_request *request, FILE *out);

#endif
