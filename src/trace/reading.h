/* Reading the lines of a thread from any place, in both directions. */
#ifndef WM_TRACE_READING_H
#define WM_TRACE_READING_H

#include "trace/lines.h"
#include "trace/places.h"
#include "trace/waypoints.h"

struct wm_trace_reading;

/* The walk belongs to the reading from now on. */
struct wm_trace_reading *wm_trace_reading_start(
	struct wm_arena *arena, struct wm_trace_walk *walk, const struct wm_waypoints *waypoints);

void wm_trace_reading_free(struct wm_trace_reading *reading);

/* How many lines ran. */
uint64_t wm_trace_reading_count(const struct wm_trace_reading *reading);

/* The line with the number, from 0, which must be there. The reading holds those around it, so
 * that its neighbours are found at once. */
const struct wm_trace_line *wm_trace_reading_line(
	struct wm_trace_reading *reading, uint64_t number);

/* The next line (the one before, if backwards) whose depth is at most so large; UINT64_MAX if there
 * is none. What is deeper is passed over without walking through it. */
uint64_t wm_trace_reading_find(
	struct wm_trace_reading *reading, uint64_t from, uint32_t max_depth, bool backwards);

/* The finder's place as often as its `time` says, from that line on; and the last execution of it
 * before that line. UINT64_MAX if there is none. *times: how often it ran as far as was looked. */
uint64_t wm_trace_reading_next(struct wm_trace_reading *reading, uint64_t from,
	struct wm_trace_finder *finder, uint64_t *times);
uint64_t wm_trace_reading_previous(
	struct wm_trace_reading *reading, uint64_t from, struct wm_trace_finder *finder);

/* A frame of the stack of calls: the function, and the call that it waits in, or WM_NONE. */
struct wm_trace_reading_frame {
	const struct wm_traced_function *function;
	uint32_t call;
};

/* The stack at a line, the innermost frame first. Returns how many frames it has. */
uint32_t wm_trace_reading_stack(struct wm_trace_reading *reading, uint64_t number,
	struct wm_trace_reading_frame *frames, uint32_t max_frames);

/* Puts the walk behind the block that the line is in. */
struct wm_trace_sought {
	struct wm_trace_walk *walk;
	uint64_t blocks, lines; /* told so far, this block's included */
};
struct wm_trace_sought wm_trace_reading_seek(struct wm_trace_reading *reading, uint64_t number);

/* How the thread ended. */
const struct wm_trace_step *wm_trace_reading_end(struct wm_trace_reading *reading);

#endif
