/* From counters, or from what the oracle recorded, to the paths of one function that ran. */
#ifndef WM_PROFILE_PATH_COUNTS_H
#define WM_PROFILE_PATH_COUNTS_H

#include "core/paths/histories.h"
#include "profile/solve.h"

/* Fills in blocks, edges and paths of the result, which live in the arena. WM_ERROR_INPUT if the
 * description does not make sense. For functions with
 * a section of paths. */
int wm_path_counts_derive(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error);

/* The same for the oracle: walks over the sequences that were recorded. */
int wm_path_counts_replay(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error);

/* What the table holds that this counter of the file names. */
struct wm_history_list wm_path_counts_table(
	struct wm_arena *scratch, const struct wm_file *file, uint64_t counter);

/* The same for sums: fills in the paths that ran, and how often paths ran that are not selected.
 * Blocks and edges are not known. */
int wm_path_counts_selected(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error);

#endif
