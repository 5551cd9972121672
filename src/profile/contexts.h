/* The calling context tree of a profile, from what was counted by key. */
#ifndef WM_PROFILE_CONTEXTS_H
#define WM_PROFILE_CONTEXTS_H

#include "core/contexts/contexts.h"
#include "format/context_key.h"
#include "profile/profile.h"
#include "profile/tally.h"

/* A site of the outside, beside those of format/context_key.h: calls of which not even that is
 * known. What was counted of their callers was reset, or is in another file. */
#define WM_CONTEXT_SITE_UNKNOWN 3u

struct wm_profile_contexts {
	bool counted;		 /* some function has contexts */
	struct wm_contexts tree; /* functions are indices in the profile; sites those of calls in
				    the description, or of the outside */
	const uint64_t *chain;	 /* by record: what the profile calls it (format/context_key.h) */
	const uint32_t *unknown; /* by function: its record for the rest, or WM_NONE */
	const bool *flat;	 /* by function: its edges are counted, but not by context */
};

struct wm_profile_contexts wm_profile_contexts_find(
	struct wm_arena *arena, const struct wm_profile *profile);

/* By record: how much of the kind it spent itself, without the calls that it made. All records
 * together have what all functions have that are counted by context. NULL if none is, but for its
 * calls. Not of kinds that count calls. */
const uint64_t *wm_profile_contexts_own(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_event_kind *kind);

/* Whether the function's edges are counted by context. */
bool wm_profile_contexts_count(const struct wm_function *function);

#endif
