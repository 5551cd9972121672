/* What the files of `cover` share: lists of what is in all programs, while they grow. */
#ifndef WM_REPORT_COVER_GATHERING_H
#define WM_REPORT_COVER_GATHERING_H

#include "report/cover.h"

struct wm_cover_gathering {
	struct wm_arena *arena;
	const struct wm_cover_request *request;
	const char **roots; /* by profile: of its own sources */
	struct wm_cover *cover;
	struct wm_lines lines; /* of its own sources, once they are known */
	size_t function_count, function_capacity;
	struct wm_cover_function *functions;
	size_t outcome_count, outcome_capacity;
	struct wm_cover_outcome *outcomes;
	struct wm_error *error;
};

/* The path without `.` and `..`, so that a header has one name from wherever it was included. */
const char *wm_cover_tidy(struct wm_cover_gathering *gathering, const char *path);

/* Whether the line is of the program's own sources, and asked for. */
bool wm_cover_keeps(struct wm_cover_gathering *gathering, const char *file, uint32_t line);

/* Adds functions and outcomes of an object's texts, and of code whose text is not known. */
int wm_cover_add_object(struct wm_cover_gathering *gathering, const struct wm_profile *object);

/* Equal entries become one; all must have been added. Then files by path from the sorted lists. */
void wm_cover_join_functions(struct wm_cover_gathering *gathering);
void wm_cover_join_outcomes(struct wm_cover_gathering *gathering);
void wm_cover_make_files(struct wm_cover_gathering *gathering);

/* Paths and pairs of the functions of the code, and the chance of a new path. */
int wm_cover_add_paths(struct wm_cover_gathering *gathering);

/* Outcomes and pairs of outcomes of a function's code. */
void wm_cover_count_pairs(const struct wm_path_space *space, struct wm_cover_code *code);

/* By block: edges that leave it, without those of calls that do not come back; and whether the code
 * chooses with the edge. */
uint32_t *wm_cover_count_branches(struct wm_arena *arena, const struct wm_function *function);
bool wm_cover_chooses(const struct wm_function *function, const uint32_t *branches, uint32_t edge);

#endif
