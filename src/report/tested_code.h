/* What the tests did, in terms of the source and of edges, for residual.c.
 *
 * Lines and decisions are sets of hashes, of the whole program: code of one line may stand in many
 * functions, and a test of one copy is a test of the line. */
#ifndef WM_REPORT_TESTED_CODE_H
#define WM_REPORT_TESTED_CODE_H

#include "report/key_set.h"
#include "report/path_choices.h"
#include "report/residual.h"

struct wm_tested_code {
	struct wm_key_set lines;     /* that tests ran */
	struct wm_key_set decisions; /* that they made */
};

/* Adds what the tests did in the function, and notes its edges. */
void wm_tested_add(
	struct wm_arena *arena, struct wm_tested_code *tested, struct wm_residual_function *entry);

/* Adds the lines of a block; those of inlined calls are no code of their own. */
void wm_tested_add_lines(struct wm_arena *arena, const struct wm_function *function, uint32_t block,
	struct wm_key_set *keys);

uint64_t wm_tested_line_key(const char *file, uint32_t line);
uint64_t wm_tested_decision_key(const struct wm_path_choice *choice);

/* Whether all decisions at a place (a block, or block_count plus an edge) were tested, and some are
 * known. */
bool wm_tested_has_decisions(
	const struct wm_tested_code *tested, const struct wm_choices *choices, uint32_t place);

/* The edges of a path, in its order, without the one that only stands for a start; returns how
 * many. */
uint32_t wm_tested_edges_of(
	struct wm_arena *scratch, const struct wm_paths *paths, uint64_t id, uint32_t **edges);

/* Adds the tests that took the path, as far as there is room. */
void wm_tested_note_labels(uint32_t *labels, const struct wm_ran_path *path);

static inline bool wm_tested_is_abandoned(const struct wm_function *function, uint32_t edge)
{
	return function->edge_flags[edge] & WM_EDGE_ABANDONED;
}

#endif
