/* The calling context tree of a profile, from what was counted by key. */
#ifndef WM_PROFILE_CONTEXTS_H
#define WM_PROFILE_CONTEXTS_H

#include "core/contexts/contexts.h"
#include "format/context_key.h"
#include "profile/profile.h"

/* A site of the outside, beside those of format/context_key.h: calls of which not even that is
 * known. What was counted of their callers was reset, or is in another file. */
#define WM_CONTEXT_SITE_UNKNOWN 3u

struct wm_profile_contexts {
	bool counted;		 /* some function has contexts */
	struct wm_contexts tree; /* functions are indices in the profile; sites those of calls in
				    the description, or of the outside */
};

struct wm_profile_contexts wm_profile_contexts_find(
	struct wm_arena *arena, const struct wm_profile *profile);

#endif
