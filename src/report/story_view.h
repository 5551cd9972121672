/* Stories of paths as people see them: number, text, outcome, how many went this way. */
#ifndef WM_REPORT_STORY_VIEW_H
#define WM_REPORT_STORY_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "report/source.h"
#include "report/story.h"

struct wm_story_style {
	bool colour;
	bool counts;	 /* with the numbers behind the shares */
	bool brief;	 /* of straight pieces, only the first and the last line */
	size_t indent;	 /* blanks before the numbers of lines */
	size_t max_rows; /* 0: any number */
};

void wm_story_print(const struct wm_story *story, struct wm_sources *sources,
	const struct wm_story_style *style, FILE *out);

/* "34%"; never 0% or 100% where some went the other way. */
const char *wm_story_share(struct wm_arena *arena, uint64_t part, uint64_t whole);

#endif
