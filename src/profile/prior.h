/* What a profile tells a later build (format/prior.h). */
#ifndef WM_PROFILE_PRIOR_H
#define WM_PROFILE_PRIOR_H

#include "format/prior.h"
#include "names/path_set.h"
#include "profile/profile.h"

/* Collects it in the arena: its functions, and if the set asks for hot paths, which they are. The
 * set is resolved if the profile has paths. */
void wm_profile_tell(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_path_set *set, struct wm_prior_content *content);

#endif
