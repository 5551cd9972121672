/* Showing what a process does while it does it: `waymark trace --follow`. */
#ifndef WM_CLI_FOLLOW_H
#define WM_CLI_FOLLOW_H

#include "cli/load_trace.h"
#include "trace/view.h"

/* Prints the last lines of each thread (0: of all) and then what is added, until the process is
 * gone. */
void wm_follow(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const struct wm_trace_view *view, uint64_t thread, uint64_t last);

#endif
