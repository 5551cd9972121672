/* A path as a story: its source lines in the order in which they ran.
 *
 * Each line has the outcomes of the branches on it. Code of the program that was inlined stands
 * under the line of its call, one step deeper; inlined code of libraries is folded into that line.
 * Between two branches lines are in the order of the text, call by call: optimised code jumps to
 * and fro there, which no reader wants to know.
 */
#ifndef WM_REPORT_STORY_H
#define WM_REPORT_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/path_form.h"

/* How one branch went, and how often it went so in the whole function. */
struct wm_story_outcome {
	const char *text;
	uint64_t chosen;
	uint64_t decided; /* 0: not known */
};

struct wm_story_line {
	const char *file; /* empty: `text` is all that there is to show */
	uint32_t line;
	uint32_t depth;	      /* how many inlined calls are around it */
	const char *function; /* of the first line of an inlined call: its short name; or NULL */
	uint32_t folded;      /* branches of inlined library code */
	size_t outcome_count;
	size_t outcome_capacity;
	struct wm_story_outcome *outcomes;
	const char *text; /* such as how the path ends; or NULL */
};

struct wm_story {
	size_t count;
	struct wm_story_line *lines;
};

/* The story of paths that run one after another, in the arena. `root` is the folder of the
 * program's own sources (report/own_sources.h); an empty one folds nothing. */
struct wm_story wm_story_make(struct wm_arena *arena, const struct wm_path_map *map,
	const char *root, const struct wm_profile_path *const *pieces, size_t piece_count);

#endif
