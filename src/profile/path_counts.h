/* From counters, or from what the oracle recorded, to the paths of one function that ran. */
#ifndef WM_PROFILE_PATH_COUNTS_H
#define WM_PROFILE_PATH_COUNTS_H

#include "core/cfg.h"
#include "core/histories.h"
#include "profile/profile.h"

/* One function's share of a file. */
struct wm_path_source {
	const struct wm_function *function;
	const struct wm_cfg *cfg;
	const bool *cut;  /* by edge of the graph, closing edge included */
	const bool *soft; /* likewise */
	const struct wm_file *file;
	uint64_t first_counter; /* of the function, in the file */
};

/* Fills in blocks, edges and paths of the result, which live in the arena. WM_ERROR_INPUT if the
 * description does not make sense. For functions with WM_PROBLEM_PATHS and .._AT_ENDS. */
int wm_path_counts_derive(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_path_source *source, struct wm_profile_function *result,
	struct wm_error *error);

/* The same for WM_PROBLEM_REDUNDANT_PATHS: walks over the sequences that were recorded. */
int wm_path_counts_replay(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_path_source *source, struct wm_profile_function *result,
	struct wm_error *error);

/* What the table holds that this counter of the file names. */
struct wm_history_list wm_path_counts_table(
	struct wm_arena *scratch, const struct wm_file *file, uint64_t counter);

/* The same for WM_PROBLEM_SELECTED_PATHS and .._PREFERRED_PATHS: fills in the paths that ran, and
 * how often others did than the selected ones. Blocks and edges are not known. */
int wm_path_counts_selected(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_path_source *source, struct wm_profile_function *result,
	struct wm_error *error);

#endif
