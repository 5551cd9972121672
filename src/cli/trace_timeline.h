/* Windows of a trace for viewers: `waymark trace --export`. */
#ifndef WM_CLI_TRACE_TIMELINE_H
#define WM_CLI_TRACE_TIMELINE_H

#include "trace/windows.h"

struct wm_trace_timeline;

struct wm_trace_timeline *wm_trace_timeline_start(
	struct wm_arena *arena, const struct wm_trace_functions *functions);

/* The window of a thread: from the block of its first line to that of its last. */
void wm_trace_timeline_add(struct wm_trace_timeline *timeline, uint32_t thread,
	struct wm_trace_reading *reading, const struct wm_trace_window *window);

/* `format` is that of --export: chrome or firefox. Ends the tool with one line if it cannot be
 * written. */
void wm_trace_timeline_write(struct wm_trace_timeline *timeline, const struct wm_trace_file *file,
	const char *format, const char *path);

#endif
