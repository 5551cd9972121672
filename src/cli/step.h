/* Walking through a trace line by line: `waymark trace --step`. On a terminal the source is shown
 * around the line. Elsewhere keys are read from standard input in the same way, and each place is
 * printed as a line. */
#ifndef WM_CLI_STEP_H
#define WM_CLI_STEP_H

#include "report/source.h"
#include "trace/reading.h"

struct wm_step {
	struct wm_arena *arena;
	struct wm_sources *sources;
	struct wm_trace_functions *functions;
	struct wm_trace_reading *reading;
	const char *title;
	const char *end;		/* how the trace ends, in words */
	uint64_t at;			/* the line at hand */
	const char *message;		/* why a key did nothing; empty: it did what it says */
	struct wm_trace_place searched; /* last; its line is 0 if there was no search */
	bool ended;
};

/* Until the user has enough, or there are no more keys. */
void wm_step_run(struct wm_step *step);

/* What the keys do; each is followed by a search's text up to the line's end, if it is a search. */
void wm_step_key(struct wm_step *step, char key, uint64_t times, const char *text);

/* Keys in words, a line each. */
extern const char *const wm_step_help[];

#endif
