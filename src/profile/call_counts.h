/* How often the calls of a function were made. */
#ifndef WM_PROFILE_CALL_COUNTS_H
#define WM_PROFILE_CALL_COUNTS_H

#include "profile/interval.h"
#include "profile/profile.h"

/* By call of the description. Where a bound is not known, it is WM_NO_LOW or WM_NO_HIGH. */
struct wm_interval *wm_call_counts(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_function *function);

#endif
