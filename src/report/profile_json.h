/* A whole profile as one JSON object, for programs. */
#ifndef WM_REPORT_PROFILE_JSON_H
#define WM_REPORT_PROFILE_JSON_H

#include <stdio.h>

#include "profile/threads.h"
#include "profile/time_samples.h"
#include "report/json.h"

/* Writes program, build_id, runs and, for every function in the order of the object, its name,
 * place, hash, entry count, blocks, edges and paths; or, unless `top` is 0, so many of the hottest
 * of each; and what its threads did, and where its time went, unless these are NULL.
 * docs/waymark-report.1.scd describes the members. */
void wm_profile_json_write(const struct wm_profile *profile, const struct wm_threads *threads,
	const struct wm_time *time, size_t top, FILE *out);

/* Writes the member objects: the program and the libraries that it loaded. */
void wm_profile_json_objects(const struct wm_profile *profile, struct wm_json *json);

#endif
