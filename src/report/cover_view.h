/* Coverage for people and for programs. */
#ifndef WM_REPORT_COVER_VIEW_H
#define WM_REPORT_COVER_VIEW_H

#include <stdio.h>

#include "report/cover.h"
#include "report/source.h"

/* What one test covered by itself. */
struct wm_cover_test {
	const char *label;
	struct wm_cover_amount amount[WM_COVER_OUTCOMES + 1];
	uint64_t paths; /* that it took */
	uint64_t own;	/* that no other test took */
};

struct wm_cover_view {
	const struct wm_cover *cover;
	const struct wm_ran_paths *ran; /* NULL: paths were not counted */
	const char *program;
	const char *change;  /* the range of commits that it is of, or NULL */
	size_t test_count;
	const struct wm_cover_test *tests; /* NULL: not asked for */
	uint64_t runs;
	uint64_t cut_short;
	size_t top; /* rows of each table */
	bool colour;
	struct wm_sources *sources;
};

void wm_cover_view_print(const struct wm_cover_view *view, FILE *out);

/* The lines that never ran, as source. */
void wm_cover_view_not_run(const struct wm_cover_view *view, FILE *out);

void wm_cover_view_json(const struct wm_cover_view *view, FILE *out);

#endif
