/* Waypoints: states of a walk from which it can go on, so that a place far behind the start of a
 * trace is reached at once, from either side.
 *
 * A waypoint holds those frames only that are not as they were at the waypoint before; so the
 * waypoints of a deep recursion are small. */
#ifndef WM_TRACE_WAYPOINTS_H
#define WM_TRACE_WAYPOINTS_H

#include "trace/regenerate.h"

struct wm_trace_frame;

struct wm_waypoint {
	uint64_t blocks, lines; /* told before it */
	uint64_t position;	/* in bits */
	uint64_t unit;		/* of the calls */
	struct wm_trace_step step;
	uint32_t pending_passed;
	const struct wm_traced_function *pending_entry;
	bool started;
	uint32_t depth;		       /* frames */
	uint32_t shared;	       /* of them those that are as at the waypoint before */
	struct wm_trace_frame *frames; /* the others */
	uint32_t shallowest; /* the smallest depth of a line between here and the next one */
};

struct wm_waypoints {
	struct wm_arena *arena;
	size_t count, capacity;
	struct wm_waypoint *points; /* the first is where the walk started */
	uint64_t blocks, lines;	    /* that were passed in all */
	enum wm_trace_end end;
};

enum { WM_WAYPOINT_SPACING = 1 << 20 }; /* in blocks */

/* Called at each waypoint with what was passed so far. May be NULL. */
struct wm_waypoint_progress {
	void (*tell)(void *context, uint64_t blocks);
	void *context;
};

/* Walks to the end, or to where so many blocks have been passed, with a waypoint at each
 * `spacing` of blocks. */
void wm_waypoints_make(struct wm_arena *arena, struct wm_trace_walk *walk, uint64_t spacing,
	uint64_t blocks, const struct wm_waypoint_progress *progress,
	struct wm_waypoints *waypoints);

/* Puts the walk, which is of the same trace, at the waypoint. */
void wm_waypoint_restore(
	struct wm_trace_walk *walk, const struct wm_waypoints *waypoints, size_t point);

/* The last waypoint with at most so many lines before it. */
size_t wm_waypoints_before_line(const struct wm_waypoints *waypoints, uint64_t line);

#endif
