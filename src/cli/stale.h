/* Sources that are not what the program was built from. */
#ifndef WM_CLI_STALE_H
#define WM_CLI_STALE_H

#include "report/source.h"

/* A warning for each file of the set that has changed, behind the command's name. */
void wm_stale_warn(const char *command, const struct wm_sources *sources);

#endif
