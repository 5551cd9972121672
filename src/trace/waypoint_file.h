/* The waypoints of a trace in a file beside it, APP.wmx for APP.wmt, so that only the first reader
 * has to walk through a large trace. The file is a cache: one that does not fit its trace to the
 * last byte is as good as none. */
#ifndef WM_TRACE_WAYPOINT_FILE_H
#define WM_TRACE_WAYPOINT_FILE_H

#include "trace/waypoints.h"

/* The name of the file, in the arena. */
const char *wm_waypoint_file_name(struct wm_arena *arena, const struct wm_trace_file *trace);

/* `waypoints` are those of the trace's threads, in their order. WM_ERROR_SYSTEM; then there is no
 * such file, or the one that was there. */
int wm_waypoint_file_write(const char *path, const struct wm_trace_file *trace,
	const struct wm_waypoints *waypoints, struct wm_error *error);

/* NULL if there is none for this trace as it is now. What the file holds is untrusted. */
struct wm_waypoints *wm_waypoint_file_read(struct wm_arena *arena, const char *path,
	const struct wm_trace_file *trace, struct wm_trace_functions *functions);

/* The same of bytes in memory. */
struct wm_waypoints *wm_waypoint_file_parse(struct wm_arena *arena, const uint8_t *bytes,
	size_t count, const struct wm_trace_file *trace, struct wm_trace_functions *functions);

#endif
