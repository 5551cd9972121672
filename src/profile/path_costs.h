/* What was read where paths end: the words of the section `meters` of one function. */
#ifndef WM_PROFILE_PATH_COSTS_H
#define WM_PROFILE_PATH_COSTS_H

#include "core/paths/path_plan.h"
#include "profile/solve.h"

struct wm_path_costs {
	struct wm_arena *arena;			 /* of the result */
	const struct wm_meters_section *section; /* NULL: nothing was read */
	const uint64_t *words;			 /* of the section */
	uint64_t *first_counter; /* by edge: of the probe that counts the paths which end there */
	uint32_t *group;	 /* by edge: 1 + its group, or 0 */
};

struct wm_path_costs wm_path_costs_of(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, const struct wm_path_plan *plan);

/* Gives the path its cost or its group: it ends with this edge, and came to it by this history. */
void wm_path_costs_give(const struct wm_path_costs *costs, uint32_t edge, uint64_t history,
	struct wm_profile_path *path);

/* By group, and in it by meter; NULL if there are none. */
const uint64_t *wm_path_costs_of_groups(const struct wm_path_costs *costs);

#endif
