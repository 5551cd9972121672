/* The listing of time beside work, and its JSON. */
#ifndef WM_REPORT_TIME_VIEW_H
#define WM_REPORT_TIME_VIEW_H

#include "profile/time_samples.h"
#include "report/json.h"
#include "report/views.h"

/* Prints the functions of the request's samples, the time outside, and the lines. */
void wm_time_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

/* The member `time` of the document. */
void wm_time_json_member(struct wm_json *json, const struct wm_time *time);

/* A member, or an element, with samples, share and error. */
void wm_time_json_tally(struct wm_json *json, const char *key, const struct wm_time *time,
	const struct wm_time_tally *tally);

#endif
