/* A trace in the place of a profile: what it tells, as counts. */
#ifndef WM_CLI_LOAD_TRACED_H
#define WM_CLI_LOAD_TRACED_H

#include "profile/profile.h"

/* The profile of the trace that the only word names; NULL if no word names one. An error ends the
 * tool with one line. */
struct wm_profile *wm_load_traced(struct wm_arena *arena, const char *command, char **words,
	size_t count, const char *binary);

#endif
