/* The branches of a function as its text has them, with how often each outcome was taken. */
#ifndef WM_HTML_BRANCHES_H
#define WM_HTML_BRANCHES_H

#include "html/files.h"
#include "report/path_form.h"

/* A choice that a place of the code stands for. */
struct wm_html_choice {
	uint32_t place; /* a block, or block_count plus the number of an edge */
	uint32_t order; /* among those of the place */
	uint32_t block; /* of a choice of which only the target is known: the block, and 1 more */
	const char *file;
	uint32_t line, column;
	const char *condition, *outcome;
	uint32_t to_line;
	bool counted;
	uint64_t count;	 /* of the place */
	uint32_t branch; /* number among those of the function */
	uint32_t arm;	 /* number among those of the branch */
};

struct wm_html_branches {
	size_t count;
	struct wm_html_choice *choices;	  /* by branch, then by arm */
	uint32_t *first;		  /* by place, and one more: into at */
	const struct wm_html_choice **at; /* by place and order */
};

struct wm_html_branches wm_html_branches_make(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_function *function);

/* Writes the member `branches`: of each [file, line, column, condition, arms], and of each arm
 * [outcome, count or null, line it leads to or 0]. */
void wm_html_branches_write(
	const struct wm_html_branches *branches, struct wm_html_files *files, struct wm_json *json);

#endif
