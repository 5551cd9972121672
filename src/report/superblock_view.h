/* Candidates for superblocks, for people and for programs. */
#ifndef WM_REPORT_SUPERBLOCK_VIEW_H
#define WM_REPORT_SUPERBLOCK_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/source.h"
#include "report/superblocks.h"

struct wm_superblock_view {
	const struct wm_profile *profile;
	const struct wm_superblock_rows *found;
	double percent; /* of the executions that must run all of a candidate */
	size_t top;	/* rows; 0: all */
	bool colour;
	struct wm_sources *sources;
};

void wm_superblock_view_print(const struct wm_superblock_view *view, FILE *out);
void wm_superblock_view_json(const struct wm_superblock_view *view, FILE *out);

#endif
