/* From the tables of sentinels to the departures that were met. */
#ifndef WM_PROFILE_DEPARTURES_H
#define WM_PROFILE_DEPARTURES_H

#include "profile/solve.h"

/* Fills in the departures of the result; nothing else of the function is known. WM_ERROR_INPUT if
 * the description does not make sense. */
int wm_departures_solve(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error);

#endif
