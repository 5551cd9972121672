/* A few selected paths of a function, counted where they end; all others are counted together.
 *
 * A register sums up the increments that core/select.h puts on the edges. At the end of a path the
 * sum says which selected path it was, if it was one: no other has the same sum. Small sums are
 * numbers of counters; for large ones a scaled hash finds the counter.
 */
#ifndef WM_LLVM_LOWER_SELECTED_H
#define WM_LLVM_LOWER_SELECTED_H

#include "core/probe_keys.h"
#include "core/select.h"
#include "llvm/lower.h"
#include "profile/path_set.h"

struct wm_selected {
	uint64_t *end;	   /* by edge: added to the sum of the path that ends with it */
	bool *end_matters; /* by edge: a selected path ends with it */
	uint64_t *inner;   /* by edge: added on the way */
	uint64_t *start;   /* by vertex: the sum of a path that starts there */
	const bool *cut;   /* by edge: a path ends with it */
	const struct wm_probe_keys *keys; /* NULL: the sum is the number of the counter */
	uint32_t others;		  /* counter of all paths that end where none is selected */
};

/* Plans for the paths in these ranges and describes their counters; those that end inside a call
 * are left out. False if this cannot be done, or so many are selected that counting all of them is
 * cheaper; then the description is as it was. */
bool wm_selected_plan(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct wm_function *described,
	struct wm_selected *selected);

/* Inserts the code. */
void wm_lower_selected(const struct wm_lowering *lowering, const struct wm_selected *selected);

#endif
