/* The executed paths of functions, hottest first. */
#ifndef WM_PROFILE_HOT_PATHS_H
#define WM_PROFILE_HOT_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

struct wm_hot_path {
	const struct wm_profile_function *function;
	const struct wm_profile_path *path;
	uint64_t instructions; /* executed along it: its count times those of its blocks */
};

struct wm_hot_paths {
	size_t count;
	struct wm_hot_path *paths; /* by falling instructions, then in the order of the profile */
	uint64_t instructions;	   /* of all together */
	size_t partial;		   /* how many of them were left early */
	uint64_t partial_count;	   /* and how often */
};

/* Instructions executed along the path. A call that came back more often than it was made (fork)
 * leaves a negative count behind: that path has none. */
uint64_t wm_hot_path_instructions(
	const struct wm_profile_function *function, const struct wm_profile_path *path);

/* What shares of paths are shares of: all executed instructions. Where a call came back twice
 * (fork) the code before it ran once, but is part of two paths. Paths may then add up to more than
 * all executed instructions, and their sum is taken instead. */
uint64_t wm_hot_paths_whole(const struct wm_profile *profile);

/* Ranks the paths of these functions; no path with a count of zero or less is among them. */
void wm_hot_paths_rank(struct wm_arena *arena, const struct wm_profile_function *functions,
	uint32_t function_count, struct wm_hot_paths *hot);

/* How many of the hottest paths together make up `percent` of the instructions of all. */
size_t wm_hot_paths_covering(const struct wm_hot_paths *hot, double percent);

#endif
