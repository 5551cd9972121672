/* All paths of a function, beside those that some runs took.
 *
 * Ids of paths with a common prefix follow each other (core/paths/paths.h), so a prefix is a range
 * of ids, and it is *live* if the range holds a path that ran. A path that never ran has one longest
 * live prefix; the edge behind it is its *departure*. Departures part all paths that never ran
 * into ranges, however many there are. Paths that are left early are no aim of a test: they count
 * as live, but not among those that never ran.
 */
#ifndef WM_PROFILE_PATH_SPACE_H
#define WM_PROFILE_PATH_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/paths/paths.h"
#include "profile/profile.h"

struct wm_path_space {
	struct wm_arena *arena;
	const struct wm_function *function;
	struct wm_paths paths;
	uint64_t *complete; /* by vertex: paths from there to EXIT that are not left early */
	size_t ran_count;
	const uint64_t *ran; /* ids of those that ran, rising */
};

/* Where paths that never ran leave those that did. */
struct wm_departure {
	uint32_t block;	      /* the last of the live prefix; WM_NONE: no path that starts there ran */
	uint32_t edge;	      /* of the numbering */
	uint32_t length;      /* of the live prefix: edges of the numbering */
	uint64_t first;	      /* ids of all paths with the prefix and that edge; partial ones among them */
	uint64_t ids;
	uint64_t count;	      /* of them that are complete */
	uint64_t live_first;  /* ids with the live prefix; some of these ran */
	uint64_t live_ids;
};

struct wm_departures {
	size_t count;
	struct wm_departure *list; /* by rising first id */
	uint64_t paths;		   /* complete paths that never ran, in all; those of departures that
				      were left out, too */
	bool whole;		   /* none was left out */
};

/* `ran` holds ids below the function's number of paths, rising. WM_ERROR_INPUT: it has more than
 * 2^63 paths. */
int wm_path_space_make(struct wm_arena *arena, const struct wm_function *function,
	const uint64_t *ran, size_t ran_count, struct wm_path_space *space, struct wm_error *error);

/* The same with the paths of a profile that ran; their ids live in the arena. */
int wm_path_space_of_profile(struct wm_arena *arena, const struct wm_profile_function *function,
	struct wm_path_space *space, struct wm_error *error);

/* Whether the path ran. */
bool wm_path_space_ran(const struct wm_path_space *space, uint64_t id);

/* Whether what the partial path runs through is the beginning of a path that ran. */
bool wm_path_space_began(const struct wm_path_space *space, uint64_t partial_id);

/* How many of the ids are of paths that ran, and where in space->ran they start. */
size_t wm_path_space_ran_among(
	const struct wm_path_space *space, uint64_t first, uint64_t ids, size_t *at);

/* Complete paths of the function. */
uint64_t wm_path_space_complete(const struct wm_path_space *space);

/* The departure of a path that never ran. */
struct wm_departure wm_path_space_departure(const struct wm_path_space *space, uint64_t id);

/* All departures, or `max` of them. */
struct wm_departures wm_path_space_departures(const struct wm_path_space *space, size_t max);

/* The complete paths of a departure: up to `max` ids, rising; returns how many. */
size_t wm_path_space_list(const struct wm_path_space *space, const struct wm_departure *departure,
	uint64_t *ids, size_t max);

/* That complete path of the departure which goes on along the edges with the largest weights, by
 * edge of the function; NULL: the first ones. */
uint64_t wm_path_space_likeliest(const struct wm_path_space *space,
	const struct wm_departure *departure, const uint64_t *weight);

#endif
