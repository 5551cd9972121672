/* What a thread executed, as text. */
#ifndef WM_TRACE_VIEW_H
#define WM_TRACE_VIEW_H

#include <stdio.h>

#include "report/source.h"
#include "trace/regenerate.h"

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

/* Calls as an indented tree, with the blocks that each call took. */
void wm_trace_view_calls(const struct wm_trace_view *view, struct wm_trace_walk *walk);

/* The last `count` lines, as source text, and how the thread ended. */
void wm_trace_view_last(
	const struct wm_trace_view *view, struct wm_trace_walk *walk, uint64_t count);

/* A line of the source, and which execution of it is meant, from 1. */
struct wm_trace_place {
	const char *file; /* its path, or the end of it from a slash on */
	uint32_t line;
	uint64_t time;
};

/* The `count` lines before that place, it, and as many behind. Returns how often the line ran as
 * far as was looked. */
uint64_t wm_trace_view_around(const struct wm_trace_view *view, struct wm_trace_walk *walk,
	const struct wm_trace_place *place, uint64_t count);

/* The lines from one place to the next execution of the other, which both are shown. Returns how
 * many of the two were found. */
int wm_trace_view_between(const struct wm_trace_view *view, struct wm_trace_walk *walk,
	const struct wm_trace_place *from, const struct wm_trace_place *to);

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
