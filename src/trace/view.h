/* What a thread executed, as text. */
#ifndef WM_TRACE_VIEW_H
#define WM_TRACE_VIEW_H

#include <stdio.h>

#include "report/source.h"
#include "trace/windows.h"

struct wm_trace_view {
	struct wm_arena *arena;
	struct wm_sources *sources;
	FILE *out;
	const char *prefix; /* of each line of a list; empty if there is one thread only */
	bool colour;
};

/* FILE:LINE, one line each. */
void wm_trace_view_lines(const struct wm_trace_view *view, struct wm_trace_walk *walk);

/* FUNCTION BLOCK, one block each. */
void wm_trace_view_blocks(const struct wm_trace_view *view, struct wm_trace_walk *walk);

/* FILE:LINE FUNCTION SUCCESSOR/SUCCESSORS, one branch each. */
void wm_trace_view_branches(const struct wm_trace_view *view, struct wm_trace_walk *walk);

/* Branches as `waymark hpp --read` takes them (stream/branch_text.h), at addresses that blocks do not
 * really have. */
void wm_trace_view_model(
	const struct wm_trace_view *view, struct wm_trace_walk *walk, uint32_t thread);

/* Calls as an indented tree, with the blocks that each call took. */
void wm_trace_view_calls(const struct wm_trace_view *view, struct wm_trace_walk *walk);

/* The lines of the window as source text, under the names of their functions; and how the thread
 * ended, if the window ends there. */
void wm_trace_view_window(const struct wm_trace_view *view, struct wm_trace_reading *reading,
	const struct wm_trace_window *window);

/* One line of such a window; `before` is the one before it, or NULL. */
void wm_trace_view_line(const struct wm_trace_view *view, const struct wm_trace_line *line,
	const struct wm_trace_line *before);

struct wm_trace_counts {
	uint64_t blocks, branches, calls, handlers;
	uint64_t depth; /* the largest number of frames */
	enum wm_trace_end end;
};

/* Walks to the end and counts. */
struct wm_trace_counts wm_trace_count(struct wm_trace_walk *walk);

/* How a thread ended, in words. */
const char *wm_trace_end_text(enum wm_trace_end end);

#endif
