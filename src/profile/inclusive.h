/* What calls did in all, callees included, by place in the source: of builds with --inclusive.
 *
 * Copies of one call, which inlining and unrolling make, are one here. A call whose return its
 * caller does not see is known by how often it was made alone. */
#ifndef WM_PROFILE_INCLUSIVE_H
#define WM_PROFILE_INCLUSIVE_H

#include "profile/tally.h"

struct wm_inclusive_call {
	const char *caller; /* as the linker knows it */
	const char *callee; /* likewise; empty: called through a pointer */
	const char *file;   /* empty: not known */
	uint32_t line;
	bool seen;	/* its returns */
	bool recursive; /* the callee may call the caller again, by calls of names: then calls
			   inside the call are counted in both */
	uint64_t made;
	uint64_t came_back;	    /* if seen */
	struct wm_interval *counts; /* by kind, of calls that came back; not known if not seen */
};

bool wm_inclusive_is_counted(const struct wm_profile *profile);

/* Those that were made, by caller, line and callee; kinds that a call does not sum are not known.
 */
struct wm_inclusive_call *wm_inclusive_calls(struct wm_arena *arena,
	const struct wm_profile *profile, const struct wm_event_kinds *kinds, size_t *count);

#endif
