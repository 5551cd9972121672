/* --context of commands that show counts of code. */
#ifndef WM_CLI_IN_CONTEXTS_H
#define WM_CLI_IN_CONTEXTS_H

#include "profile/profile.h"

/* Leaves what was counted in the contexts of that name and below them (cli/find_context.h), of the
 * program or the object that was chosen. An error ends the tool with one line. */
void wm_in_contexts(
	struct wm_arena *arena, const char *command, const char *name, struct wm_profile *profile);

#endif
