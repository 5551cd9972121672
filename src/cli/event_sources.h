/* Where time and events can come from on this machine, and for whom. */
#ifndef WM_CLI_EVENT_SOURCES_H
#define WM_CLI_EVENT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

struct wm_event_source {
	const char *name;
	bool works;	/* for this user */
	char text[256]; /* "works", "only as root" or "not here", and why */
};

enum { WM_EVENT_SOURCES = 6 };

/* Tries each source: opens it, disabled, and closes it again. What works for root is tried once
 * more in a child of another user. */
void wm_event_sources_try(struct wm_event_source *sources);

#endif
