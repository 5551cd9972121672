/* Windows: the lines of a trace that somebody wants to see. */
#ifndef WM_TRACE_WINDOWS_H
#define WM_TRACE_WINDOWS_H

#include "trace/reading.h"

struct wm_trace_window {
	uint64_t first, count;
	uint64_t mark; /* the line that was looked for; UINT64_MAX: none */
};

/* The last `count` lines, or all. */
struct wm_trace_window wm_trace_window_last(const struct wm_trace_reading *reading, uint64_t count);

/* That line and `count` on each side, as far as they are there. */
struct wm_trace_window wm_trace_window_around(
	const struct wm_trace_reading *reading, uint64_t line, uint64_t count);

/* From one place to the next execution of the other, or to the end. Returns how many of the two
 * were found; for 0 there is no window. */
int wm_trace_window_between(struct wm_trace_reading *reading, struct wm_trace_finder *from,
	struct wm_trace_finder *to, struct wm_trace_window *window);

#endif
