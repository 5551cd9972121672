/* Solvers: from the counters of one function to the counts of its blocks, edges and paths. Each
 * kind of section in a description has one. */
#ifndef WM_PROFILE_SOLVE_H
#define WM_PROFILE_SOLVE_H

#include "core/graph/cfg.h"
#include "profile/profile.h"

/* One section's share of a file. */
struct wm_solve_source {
	const struct wm_function *function;
	const struct wm_cfg *cfg;
	const bool *cut;  /* by edge of the graph, closing edge included */
	const bool *soft; /* likewise */
	const struct wm_file *file;
	uint64_t first_counter; /* of the section, in the file */
};

/* Fills in what the function's sections tell. What nothing tells stays NULL: so it does for
 * sections that this reader does not know. Results live in the arena. WM_ERROR_INPUT if the
 * description does not make sense. */
int wm_solve_function(struct wm_arena *arena, struct wm_arena *scratch, const struct wm_file *file,
	uint64_t first_counter, struct wm_profile_function *result, struct wm_error *error);

/* A copy of that many counts. */
const uint64_t *wm_solve_copy(struct wm_arena *arena, const uint64_t *counts, uint32_t count);

#endif
