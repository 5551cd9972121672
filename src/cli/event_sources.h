/* Where time and events can come from on this machine, and for whom. */
#ifndef WM_CLI_EVENT_SOURCES_H
#define WM_CLI_EVENT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "format/perf_events.h"

struct wm_event_source {
	const char *name;
	bool works;	/* for this user */
	char text[256]; /* "works", "only as root" or "not here", and why */
};

enum { WM_EVENT_SOURCES = 6 };

/* Tries each source: opens it, disabled, and closes it again. What works for root is tried once
 * more in a child of another user. */
void wm_event_sources_try(struct wm_event_source *sources);

/* Why an event of a metric cannot be counted on this machine, in the text of that many bytes; or
 * false: it can be. */
bool wm_event_is_refused(const struct wm_perf_event *event, char *text, size_t bytes);

#endif
