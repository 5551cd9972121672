/* A profile: every function of an object with the counts of its blocks, edges and paths. */
#ifndef WM_PROFILE_PROFILE_H
#define WM_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/description.h"
#include "profile/file.h"
#include "profile/object.h"

/* A path of a function that ran: from the entry, or the target of a cut edge, to the next cut edge
 * (WM_EDGE_CUT in the description) or to EXIT. */
struct wm_profile_path {
	uint64_t id;	/* its Ball-Larus number among the paths of the function */
	uint64_t count; /* how often it ran */
	bool partial;	/* left early, inside a call in its last block that did not come back */
	uint32_t block_count;
	const uint32_t *blocks; /* in the order in which they ran */
	uint32_t end_edge; /* the edge that ended it: a cut one, or one to EXIT; its target starts
			      the path that comes next */
	const uint64_t *cost; /* by meter of the function's section `meters`; NULL: not read at its
				 end, or only for its group */
	uint32_t group;	      /* 1 + the number of its group among those of that section; 0: none */
};

/* Whether the path ends in a call that never comes back, such as exit: it is whole, but leads to no
 * return. */
static inline bool wm_profile_path_never_returns(
	const struct wm_function *function, const struct wm_profile_path *path)
{
	return path->end_edge < function->edge_count &&
	       (function->edge_flags[path->end_edge] & WM_EDGE_NO_RETURN);
}

/* Where a sentinel saw the tested paths being left. */
struct wm_profile_departure {
	struct wm_profile_path path; /* what came since routes were numbered from 0, and the edge
					that no tested path took behind it. Its id means nothing,
					its count is the number of processes. Without an edge
					(WM_NONE) no tested path starts at its block */
	uint64_t first;		     /* seconds since 1970 */
};

struct wm_profile_function {
	const struct wm_function *function;
	const char *library; /* that it is in, such as liblzma.so; NULL: it is of the program */
	const struct wm_source *const *sources; /* by key of its section `source`: the record, or
						   NULL. NULL: its text is not known */
	const uint64_t *block; /* by block: how often it was entered; NULL if not known */
	const uint64_t *edge;  /* by edge, in the order of the description; NULL if not known */
	uint32_t path_count;
	const struct wm_profile_path *paths; /* those that ran, by id; NULL if not known */
	uint32_t departure_count;
	const struct wm_profile_departure *departures; /* by probe and history */
	const uint64_t *events; /* by kind of its section `events`: what all threads of the object
				   have summed; NULL if not summed */
	const uint64_t *group_cost; /* by group, and in it by meter; NULL: there are none */
	const uint64_t *mark_sums; /* by mark of its section `mark_sums`; NULL if it has none */
	const uint64_t
		*inclusive;	 /* the counters of its section `inclusive`; NULL if it has none */
	uint64_t possible_paths; /* how many the function has */
	uint64_t others; /* executions of paths that are not among these, but for partial ones */
	uint64_t calls;
	uint64_t instructions; /* executed, in the compiler's intermediate form */
	uint64_t increments;   /* of its counters */
	uint64_t
		block_entries; /* sum over its blocks: the increments of a counter in every block */
};

/* Of a program and the libraries that it loaded. */
struct wm_profile {
	struct wm_object object; /* the program, and behind it its libraries */
	struct wm_file file;	 /* with the endings of all objects */
	uint32_t part_count;
	const struct wm_profile *parts; /* each object by itself */
	uint32_t lost_count;
	const char **lost; /* for each library that could not be read, why */
	uint32_t function_count;
	struct wm_profile_function *functions; /* in the order of the object's descriptions */
	uint32_t executed_functions;	       /* called at least once */
	uint64_t instructions;		       /* sums over all functions */
	uint64_t counters;
	uint64_t blocks;
	uint64_t increments;
	uint64_t block_entries;
};

/* Joins a file with its objects, as wm_binary_read finds them. Takes over *file. Besides the errors
 * of wm_binary_read for the program, WM_ERROR_INPUT if a function's counters do not determine its
 * counts. */
int wm_profile_make(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile, struct wm_error *error);

/* What is known of a function without counters. */
struct wm_known_counts {
	uint64_t *block, *edge; /* of the description */
};

/* The same with counts by function of the object, which are taken over. */
void wm_profile_make_of_counts(struct wm_arena *arena, const struct wm_file *file,
	const struct wm_object *object, const struct wm_known_counts *counts,
	struct wm_profile *profile);

/* Sums up the counts of its blocks, or of its paths: calls, instructions, entries of blocks. */
void wm_profile_sum_function(struct wm_profile_function *result);

#endif
