/* Two calling context trees, side by side: of two runs, or of two builds.
 *
 * Contexts are the same if their functions have the same names and the calls between them the same
 * places: the number of a call among those of its caller with the same callee. So calls that were
 * added or removed before one do not matter, unless they call the same function.
 */
#ifndef WM_REPORT_TREE_DIFF_H
#define WM_REPORT_TREE_DIFF_H

#include <stdio.h>

#include "report/tree.h"

enum wm_tree_change_kind { WM_TREE_APPEARED, WM_TREE_VANISHED, WM_TREE_MOVED };

/* What appeared or vanished is one change with all contexts below it; what moved is a context by
 * itself. So the changes add up to the difference of the trees. */
struct wm_tree_change {
	enum wm_tree_change_kind kind;
	uint64_t before, after; /* of the contexts of the change */
	uint32_t contexts;
	uint32_t record; /* the topmost: of the new tree or, if it vanished, of the old one */
};

struct wm_tree_diff {
	const struct wm_tree *before, *after;
	uint64_t before_total, after_total;
	uint32_t same; /* contexts in both trees, with equal figures */
	uint32_t count;
	struct wm_tree_change *changes; /* the largest first */
};

/* Both trees are by the same metric and tell calls apart. */
struct wm_tree_diff wm_tree_diff_make(
	struct wm_arena *arena, const struct wm_tree *before, const struct wm_tree *after);

void wm_tree_diff_print(const struct wm_tree_diff *diff, size_t top, bool colour, FILE *out);

/* `top` 0: all changes. */
void wm_tree_diff_json(const struct wm_tree_diff *diff, size_t top, FILE *out);

#endif
