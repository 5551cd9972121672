/* Lines of the source that somebody looks for in a trace. */
#ifndef WM_TRACE_PLACES_H
#define WM_TRACE_PLACES_H

#include "trace/functions.h"

/* A line of the source, and which execution of it is meant, from 1. */
struct wm_trace_place {
	const char *file; /* its path, or the end of it from a slash on; NULL: any file */
	uint32_t line;
	uint64_t time;
};

/* Which blocks hold the line, found out when a function is met. */
struct wm_trace_finder {
	struct wm_arena *arena;
	const struct wm_trace_place *place;
	uint8_t **blocks; /* by function: by block */
};

void wm_trace_finder_start(struct wm_arena *arena, const struct wm_trace_functions *functions,
	const struct wm_trace_place *place, struct wm_trace_finder *finder);

bool wm_trace_finder_is_at(const struct wm_trace_finder *finder, const struct wm_function *function,
	uint32_t block, uint32_t position);

const uint8_t *wm_trace_finder_look(
	struct wm_trace_finder *finder, const struct wm_traced_function *function);

static inline bool wm_trace_finder_holds(
	struct wm_trace_finder *finder, const struct wm_traced_function *function, uint32_t block)
{
	const uint8_t *blocks = finder->blocks[function->number];
	return (blocks ? blocks : wm_trace_finder_look(finder, function))[block];
}

#endif
