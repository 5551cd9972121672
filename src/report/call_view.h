/* The listing of calls, and their JSON. */
#ifndef WM_REPORT_CALL_VIEW_H
#define WM_REPORT_CALL_VIEW_H

#include "report/json.h"
#include "report/views.h"

/* The calls that were made most often: who called whom, and where. */
void wm_call_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

/* How often the function was entered, and from which functions most, in a sentence. */
void wm_call_view_print_callers(
	const struct wm_profile *profile, const struct wm_profile_function *callee, FILE *out);

/* The member `calls` of a function. */
void wm_call_json_member(struct wm_json *json, const struct wm_profile *profile,
	const struct wm_profile_function *function);

#endif
