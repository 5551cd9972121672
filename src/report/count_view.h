/* What a run cost, for people: totals, and a table by function, file, line, path or call. */
#ifndef WM_REPORT_COUNT_VIEW_H
#define WM_REPORT_COUNT_VIEW_H

#include <stdio.h>

#include "report/short_names.h"
#include "report/snapshot.h"

enum wm_count_by {
	WM_COUNT_BY_PROGRAM, /* totals only */
	WM_COUNT_BY_FILE,
	WM_COUNT_BY_FUNCTION,
	WM_COUNT_BY_LINE,
	WM_COUNT_BY_PATH,
	WM_COUNT_BY_CALL /* what calls did in all (inclusive_view.h) */
};

struct wm_count_request {
	enum wm_count_by by;
	size_t top; /* rows of the table */
	bool colour;
	const struct wm_short_names *names;
	struct wm_sources *sources;
};

/* A count; behind ~ the least that is certain, and a question mark if nothing is known. */
const char *wm_count_text(struct wm_arena *arena, struct wm_interval count);

/* The functions' paths must be there if they are asked for. */
void wm_count_view_print(const struct wm_profile *profile, const struct wm_snapshot *snapshot,
	const struct wm_count_request *request, FILE *out);

#endif
