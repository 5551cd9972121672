/* How often each block of the text ran, from the counts of the code that was made from it.
 *
 * A place in the code is a witness for blocks of text (format/description.h). The witnesses of all
 * functions together bound each block's count from both sides; the flow law of the text tightens
 * the bounds (source_flow.h), and a last look asks whether calls were deleted (source_calls.h).
 */
#ifndef WM_PROFILE_SOURCE_COUNTS_H
#define WM_PROFILE_SOURCE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/interval.h"
#include "profile/profile.h"

struct wm_source_count {
	struct wm_interval *block; /* by block: how often it was entered */
	struct wm_interval *left;  /* by block: how often control ended inside it. Negative where a
				      call came back twice (fork) */
	struct wm_interval entries;
	bool known; /* false: the witnesses contradict each other, and nothing is bounded */
};

/* By record of the profile's object. WM_ERROR_INPUT if a function says something about text that
 * is not there. */
int wm_source_counts_make(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_source_count **counts, struct wm_error *error);

/* The counts of the function's own text, or NULL. */
const struct wm_source_count *wm_source_counts_of(const struct wm_profile *profile,
	const struct wm_source_count *counts, const struct wm_function *function);

#endif
