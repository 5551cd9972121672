/* The screen of `waymark trace --step`. */
#ifndef WM_CLI_STEP_SCREEN_H
#define WM_CLI_STEP_SCREEN_H

#include <stdbool.h>

#include "cli/step.h"

/* Whether keys and output are a terminal's that can move its cursor. */
bool wm_step_screen_is_there(void);

/* Shows places and takes keys until the user has enough. */
void wm_step_screen_run(struct wm_step *step);

#endif
