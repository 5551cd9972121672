/* A profile of some contexts: what was counted in them, and in those below them. */
#ifndef WM_PROFILE_CONTEXT_SELECTION_H
#define WM_PROFILE_CONTEXT_SELECTION_H

#include "profile/contexts.h"

/* The same object, with the counts of the records alone; `chosen` is by record. Functions that are
 * not counted by context have no counts then. Takes nothing over; libraries are left out. `binary`
 * is as for wm_profile_make. */
int wm_profile_of_contexts(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const bool *chosen, struct wm_profile *result,
	struct wm_error *error);

/* Those records and all below them. */
const bool *wm_contexts_with_below(
	struct wm_arena *arena, const struct wm_contexts *contexts, const bool *chosen);

#endif
