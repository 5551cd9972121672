/* The listings that people read. */
#ifndef WM_REPORT_VIEWS_H
#define WM_REPORT_VIEWS_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "profile/profile.h"
#include "profile/threads.h"
#include "profile/time_samples.h"
#include "report/short_names.h"
#include "report/source.h"

enum wm_view {
	WM_VIEW_OVERVIEW, /* functions, and paths or blocks */
	WM_VIEW_PATHS,
	WM_VIEW_FUNCTIONS,
	WM_VIEW_BLOCKS,
	WM_VIEW_EDGES,
	WM_VIEW_LINES,
	WM_VIEW_CALLS,
	WM_VIEW_THREADS,
	WM_VIEW_TIME
};

struct wm_view_request {
	enum wm_view view;
	size_t top;	       /* rows of each listing */
	size_t path_top;       /* hot paths of the whole program */
	bool verbose;	       /* also what only developers of Waymark ask for */
	const char *root;      /* folder of the program's own sources (report/own_sources.h); NULL:
				  nothing is folded */
	bool colour;	       /* of a terminal */
	time_t now;	       /* to say how old the file is, or 0 */
	bool chosen;	       /* the profile was left with chosen paths (wm_path_set_filter) */
	size_t paths_that_ran; /* if so: before the others were taken out */
	const struct wm_short_names *names;	/* of the profile, where paths are shown */
	const struct wm_short_names *old_names; /* in a comparison: of the old profile */
	const struct wm_threads *threads;	/* of the profile, to show threads */
	const struct wm_time *time;		/* of the profile, to show time beside work */
	const char *const *callees; /* calls: only those of these (linker's names), unless NULL */
	size_t callee_count;
	struct wm_sources *sources; /* of the profile's object (of the new one's, in a comparison):
				       those that the listing tells of are read; or NULL */
};

/* Prints what the program did, under a heading that says which program, which runs and how much. */
void wm_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out);

#endif
