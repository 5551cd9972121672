/* Of which kind an untested path is: what else would have seen it. For residual.c. */
#ifndef WM_REPORT_RESIDUAL_KIND_H
#define WM_REPORT_RESIDUAL_KIND_H

#include "report/tested_code.h"

/* What is asked of each path of a function, worked out once: what of its code no test ran, and what
 * its tested paths do in terms of the source. */
struct wm_judged {
	struct wm_arena arena;
	const struct wm_residual_function *entry; /* NULL: not made yet */
	bool *untested_block;			  /* by block: it has a line that no test ran */
	bool *untested_edge; /* by edge: a branch that no test of it took, in any copy */
	bool *secret;	     /* by edge: the code chooses there, and the source does not say how */
	uint64_t *block_key; /* what the block's lines are; 0: it has none */
	uint64_t *edge_key;  /* the decisions on the edge and in the block before it */
	bool has_copies;
	bool has_traces;
	size_t trace_count;
	uint64_t **traces; /* of the tested paths */
	size_t *lengths;
};

/* All tests must have been added. The caller frees the arena. */
struct wm_judged wm_judge(
	const struct wm_tested_code *tested, const struct wm_residual_function *entry);

/* The kind of the row's path; notes whether each edge of it was tested. */
enum wm_residual_kind wm_judged_kind(struct wm_judged *judged, struct wm_residual_row *row);

/* The kind of a departure that a sentinel saw: the blocks on the way and the edge behind them, or
 * WM_NONE for a start that no test took. */
enum wm_residual_kind wm_judged_departure(
	const struct wm_judged *judged, const struct wm_profile_path *path);

#endif
