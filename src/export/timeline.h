/* Timelines: which functions were active when, for viewers that show time from left to right. Time
 * is a number of blocks here: what ran before. Both viewers take it for microseconds. */
#ifndef WM_EXPORT_TIMELINE_H
#define WM_EXPORT_TIMELINE_H

#include <stdio.h>

#include "export/stacks.h"

/* A function is entered, or the innermost one is left. */
struct wm_timeline_event {
	uint64_t time;
	uint32_t frame; /* WM_NONE: left */
};

struct wm_timeline_thread {
	uint32_t number;
	uint64_t end; /* those that are still active then are left there */
	size_t count;
	const struct wm_timeline_event *events;
};

struct wm_timeline {
	const char *program; /* its name without folders */
	const char *version; /* of waymark */
	uint32_t process;
	uint32_t frame_count;
	struct wm_frame *frames;
	uint32_t thread_count;
	struct wm_timeline_thread *threads;
};

/* The JSON of Chrome's tracing, which Perfetto reads. */
void wm_export_chrome(const struct wm_timeline *timeline, FILE *out);

/* Firefox Profiler's: a sample at each change of the stack. */
void wm_export_firefox_timeline(
	struct wm_arena *arena, const struct wm_timeline *timeline, FILE *out);

#endif
