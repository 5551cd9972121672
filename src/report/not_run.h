/* Paths of a function that never ran, each beside the nearest path that did.
 *
 * A function may have more paths than anybody can list. If those that never ran are few, each is a
 * row. Otherwise a row stands for all that leave the same live prefix by the same edge
 * (profile/path_space.h), and shows the one that goes on as most executions do. Rows that control
 * came to most often are first: there a test is nearest, or what the path asks for is impossible.
 */
#ifndef WM_REPORT_NOT_RUN_H
#define WM_REPORT_NOT_RUN_H

#include <stdio.h>

#include "profile/path_space.h"
#include "report/json.h"
#include "report/path_form.h"
#include "report/views.h"

struct wm_not_run_row {
	struct wm_profile_path path;
	struct wm_departure departure;
	uint64_t reached; /* how often control came to the departure by the live prefix */
	uint64_t others; /* further paths that never ran and have this departure, not in other rows */
	const struct wm_profile_path *nearest; /* that ran and has the live prefix; NULL: none */
};

struct wm_not_run {
	uint64_t complete; /* paths of the function that are not left early */
	uint64_t paths;	   /* of them that never ran */
	size_t count;
	struct wm_not_run_row *rows;
	bool whole; /* each path that never ran is a row, or among the others of one */
};

/* Rows live in the arena. WM_ERROR_INPUT as of wm_path_space_make. Requires that the paths of the
 * function are known, and not only selected ones. */
int wm_not_run_make(struct wm_arena *arena, const struct wm_profile_function *function,
	struct wm_not_run *result, struct wm_error *error);

/* How the nearest path goes on where the other departs: "31 if (x) → yes", or an empty text. */
const char *wm_not_run_difference(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_departure *departure, const struct wm_profile_path *path,
	const struct wm_profile_path *nearest);

void wm_not_run_print(const struct wm_profile_function *function, const struct wm_not_run *result,
	const struct wm_view_request *request, FILE *out);

/* A function as an object with the first `top` rows. */
void wm_not_run_json(struct wm_json *json, const struct wm_profile_function *function,
	const struct wm_not_run *result, size_t top);

#endif
