/* Which functions each call of the code reached, and how often, whatever the context: of builds
 * that count calls by context. Functions that are not counted are not among them. */
#ifndef WM_EXPORT_CALL_TARGETS_H
#define WM_EXPORT_CALL_TARGETS_H

#include "core/contexts/contexts.h"

struct wm_call_target {
	uint32_t caller; /* a function of the tree */
	uint32_t site;	 /* a call of it */
	uint32_t callee;
	uint64_t count;
};

struct wm_call_targets {
	size_t count;
	struct wm_call_target *list; /* by caller and site, the most frequent first, each once */
};

struct wm_call_targets wm_call_targets_make(
	struct wm_arena *arena, const struct wm_contexts *contexts);

/* The targets of one call: the first, and in *count how many. */
const struct wm_call_target *wm_call_targets_of(
	const struct wm_call_targets *targets, uint32_t caller, uint32_t site, size_t *count);

#endif
