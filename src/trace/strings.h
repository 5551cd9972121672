/* Strings of a whole program path, counted off its grammar. */
#ifndef WM_TRACE_STRINGS_H
#define WM_TRACE_STRINGS_H

#include "trace/elements.h"

struct wm_whole_string {
	const uint32_t *elements;
	uint32_t count;
	uint64_t times;
	uint64_t cost; /* of all times together, in instructions */
};

struct wm_whole_strings {
	struct wm_whole_string *strings; /* the most expensive first */
	size_t count;
};

/* Hot sub-paths (Larus 1999): strings of up to `length` elements that cost at least this share of
 * all, and do not hold a shorter one that does. */
struct wm_whole_strings wm_whole_hot(
	struct wm_arena *arena, const struct wm_whole_path *whole, uint32_t length, double share);

/* Segments of the depth: what ran from a path that ends with a call, over at most so many calls, to
 * where the function that it started in goes on to another iteration, or returns. */
struct wm_whole_strings wm_whole_segments(
	struct wm_arena *arena, const struct wm_whole_path *whole, uint32_t depth);

/* The instructions of the whole sequence. */
uint64_t wm_whole_cost(const struct wm_whole_path *whole);

#endif
