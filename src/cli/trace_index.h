/* The waypoints of a trace's threads: from the file beside it, or made by a walk. Those of a large
 * trace are kept for the next reader. */
#ifndef WM_CLI_TRACE_INDEX_H
#define WM_CLI_TRACE_INDEX_H

#include "cli/load_trace.h"
#include "trace/reading.h"

struct wm_trace_index {
	struct wm_arena *arena;
	struct wm_loaded_trace *loaded;
	const char *binary;
	struct wm_waypoints *threads; /* in the order of the trace's */
	bool *made;
	bool from_file;
};

void wm_trace_index_start(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const char *binary, struct wm_trace_index *index);

/* The lines of the thread. Long work tells its progress on a terminal. */
struct wm_trace_reading *wm_trace_index_read(
	struct wm_trace_index *index, uint32_t thread, struct wm_trace_walk **walk);

/* Keeps the waypoints if a reader had to wait for them. */
void wm_trace_index_keep(const struct wm_trace_index *index);

#endif
