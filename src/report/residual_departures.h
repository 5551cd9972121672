/* Departures that sentinels saw, with their kinds. For residual.c. */
#ifndef WM_REPORT_RESIDUAL_DEPARTURES_H
#define WM_REPORT_RESIDUAL_DEPARTURES_H

#include "report/tested_code.h"

/* Adds those of the functions of the result. All tests must have been added. */
void wm_residual_departures(
	struct wm_arena *arena, const struct wm_tested_code *tested, struct wm_residual *result);

#endif
