/* The listing of threads, and their JSON. */
#ifndef WM_REPORT_THREAD_VIEW_H
#define WM_REPORT_THREAD_VIEW_H

#include "report/json.h"
#include "report/views.h"

/* Prints what each thread of the request did; below, what cannot be split. */
void wm_thread_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

/* The members `threads`, `by_key` and `earlier`. */
void wm_thread_json_members(struct wm_json *json, const struct wm_threads *threads);

#endif
