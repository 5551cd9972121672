/* Counts from a trace: how often each block and edge ran, as a build with counters would say. */
#ifndef WM_TRACE_DERIVE_H
#define WM_TRACE_DERIVE_H

#include "profile/profile.h"
#include "trace/regenerate.h"

/* Counts by function of the object. */
struct wm_known_counts *wm_trace_counts_start(
	struct wm_arena *arena, const struct wm_object *object);

/* Walks to the end and adds what ran. What was active there has left its functions inside calls. */
void wm_trace_counts_add(struct wm_trace_walk *walk, struct wm_known_counts *counts);

#endif
