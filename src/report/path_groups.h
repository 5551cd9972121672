/* Paths that belong together, hottest first.
 *
 * Where loops are cut at their heads a route through a function comes in pieces. Two of them are
 * shown as one where the counts leave no doubt: only one path ends into a block, only one path
 * starts there, and both ran equally often. */
#ifndef WM_REPORT_PATH_GROUPS_H
#define WM_REPORT_PATH_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "report/short_names.h"

struct wm_path_group {
	const struct wm_profile_function *function;
	size_t piece_count;		       /* at least 1 */
	const struct wm_profile_path **pieces; /* in the order in which they ran */
	uint64_t count;			       /* of each of them */
	uint64_t instructions;		       /* executed, of all pieces */
};

struct wm_path_groups {
	size_t count;
	struct wm_path_group *groups; /* by falling instructions, then in the profile's order */
	uint64_t instructions;	      /* of all */
	size_t path_count;	      /* pieces of all */
	size_t partial;		      /* paths that were left early */
	uint64_t partial_count;	      /* and how often */
};

/* Groups all paths that ran; everything lives in the arena. */
void wm_path_groups_make(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_path_groups *groups);

/* The group's name in at most `wide` bytes, which should be 64 or more. A long
 * name loses the start of the function's name. One with too many pieces loses all but the first,
 * and says so. */
const char *wm_path_group_name(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_path_group *group, size_t wide);

/* How many of the hottest groups make up the share (0 to 1) of that many instructions; all of them
 * if they do not reach it. */
size_t wm_path_groups_covering(
	const struct wm_path_groups *groups, double share, uint64_t instructions);

#endif
