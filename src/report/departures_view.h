/* What sentinels saw, for people and for programs: a part of what residual_view.h shows. */
#ifndef WM_REPORT_DEPARTURES_VIEW_H
#define WM_REPORT_DEPARTURES_VIEW_H

#include "report/json.h"
#include "report/residual_view.h"

/* A title and a table; nothing if there are none. */
void wm_departures_view_print(const struct wm_residual_view *view, FILE *out);

/* The members `watched`, names of functions, and `departures`. */
void wm_departures_view_json(const struct wm_residual_view *view, struct wm_json *json);

#endif
