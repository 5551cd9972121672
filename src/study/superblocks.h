/* Candidates for superblocks: code with one entry that mostly runs to its end (thesis, section 2.1).
 *
 * A candidate is the longest beginning of a hot path of which `completion` of all executions that enter
 * its head run all blocks. Paths tell the completion exactly; counts of edges leave an interval.
 */
#ifndef WM_STUDY_SUPERBLOCKS_H
#define WM_STUDY_SUPERBLOCKS_H

#include "profile/hpp_profile.h"

struct wm_superblock {
	const struct wm_exact_path *path; /* that it was made of */
	struct wm_hpp_step *steps;
	size_t blocks;
	uint32_t instructions, bytes;
	uint64_t entered;   /* executions of the head */
	uint64_t completed; /* of these, that ran all of it */
	uint64_t edges_least, edges_most; /* what edges alone would say of `completed` */
	bool loop;	    /* it ends at its own start */
};

/* At most `top` candidates, hottest first; in the arena. */
struct wm_superblock *wm_superblocks(struct wm_arena *arena, const struct wm_hpp_profile *profile,
	double completion, size_t top, size_t *count);

#endif
