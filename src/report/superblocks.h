/* Candidates for superblocks: code with one entry that mostly runs to its end.
 *
 * A candidate is the longest beginning of a path that at least a given share of all executions of
 * its first block run as a whole. Counts of paths tell this share exactly, counts of edges leave an
 * interval. Each block that starts paths has one candidate at most: of the path from it that does
 * most. Those without a branch are left out.
 */
#ifndef WM_REPORT_SUPERBLOCKS_H
#define WM_REPORT_SUPERBLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/profile.h"

struct wm_superblock_row {
	const struct wm_profile_function *function;
	struct wm_profile_path path; /* its blocks; no edge ends it */
	uint64_t instructions;	     /* of all its blocks together, once */
	uint64_t entered;	     /* executions of its first block */
	uint64_t completed;	     /* of these, that ran all of it */
	uint64_t edges_least;	     /* what edges alone would say of `completed` */
	uint64_t edges_most;
	bool loop; /* behind its end it starts again */
};

struct wm_superblock_rows {
	uint32_t functions;
	uint32_t left_out; /* functions that ran, but whose paths were not all counted */
	size_t count;
	struct wm_superblock_row *rows; /* by falling instructions that ran in them */
};

/* `percent` of the executions must run all of a candidate. */
void wm_superblock_rows_find(struct wm_arena *arena, const struct wm_profile *profile,
	double percent, struct wm_superblock_rows *result);

#endif
