/* The list of a function's paths that ran, while it grows; each gets its number. */
#ifndef WM_PROFILE_PATH_LIST_H
#define WM_PROFILE_PATH_LIST_H

#include "core/paths/paths.h"
#include "profile/path_counts.h"

struct wm_path_list {
	struct wm_arena *arena; /* of the result */
	const struct wm_solve_source *source;
	struct wm_paths numbering;
	uint32_t *inner; /* by edge of the function: its edge in the numbering, or WM_NONE */
	uint32_t *end;	 /* likewise, as the end of a path */
	uint32_t *start; /* by vertex, likewise, as the start of one */
	struct wm_profile_path *paths;
	uint32_t count;
	size_t capacity;
};

int wm_path_list_open(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_path_list *list, struct wm_error *error);

/* Adds the path through these blocks. Without an end edge (WM_NONE) it was left where no call is.
 */
void wm_path_list_add(struct wm_path_list *list, const uint32_t *blocks, uint32_t block_count,
	uint32_t end_edge, uint64_t count);

/* Sorts the paths by number and hands them over. */
void wm_path_list_close(struct wm_path_list *list, struct wm_profile_function *result);

#endif
