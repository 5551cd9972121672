/* Segments: what ran of a callee together with what ran of its caller.
 *
 * Where a call was inlined, by the optimiser or for --segments, paths of the caller go on through
 * the callee. A segment is what such a path runs through from the call before it to the call behind
 * it: in the caller up to the call, in the callee, and in the caller again. Its count is the sum
 * over all paths that hold it.
 */
#ifndef WM_REPORT_SEGMENTS_H
#define WM_REPORT_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/profile.h"
#include "report/source.h"

struct wm_segment {
	const char *caller, *callee; /* as the debug information names them */
	const char *file;	     /* of the call */
	uint32_t line;
	const char *text;   /* `16 if (n & 1) → yes, 20 bar(5 if (n % 3 == 0) → no)` */
	const char *inside; /* the part in the callee */
	uint64_t count;
	uint64_t count_of_call; /* the sum over all segments of the call */
};

struct wm_segments {
	size_t count;
	struct wm_segment
		*segments; /* the busiest calls first; of a call the most frequent first */
};

/* Whether both are of the same call. */
bool wm_segments_share_call(const struct wm_segment *left, const struct wm_segment *right);

/* The segments in the code of these functions that go up to `depth` calls deep; everything lives in
 * the arena. The caller may itself have been inlined: its copies are added up. Callees without a
 * decision on any of the paths are left out. */
struct wm_segments wm_segments_find(struct wm_arena *arena,
	const struct wm_profile_function *const *functions, size_t function_count, unsigned depth,
	struct wm_sources *sources);

#endif
