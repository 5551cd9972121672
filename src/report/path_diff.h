/* Two profiles side by side: which paths appeared, vanished or moved.
 *
 * Functions belong together by name and, where a name is there several times, by file. If their
 * shape is also the same (names/path_name.h), a path is the same path in both; otherwise only their
 * totals can be compared. A share is that of all instructions executed in its profile. Where a
 * build counts chosen functions or paths only (profile/path_selection.h), those are compared that
 * both sides counted, and shares are of these. */
#ifndef WM_REPORT_PATH_DIFF_H
#define WM_REPORT_PATH_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

enum wm_path_change { WM_PATH_APPEARED, WM_PATH_VANISHED, WM_PATH_MOVED, WM_PATH_CHANGES };

enum wm_function_change {
	WM_FUNCTION_NEW,      /* not there before */
	WM_FUNCTION_GONE,     /* not there any more */
	WM_FUNCTION_RESHAPED, /* its blocks, edges or cuts differ */
	WM_FUNCTION_COUNTED   /* paths are not known in both, and totals differ */
};

/* One side of a comparison. */
struct wm_diff_side {
	const struct wm_profile_function *function; /* NULL: not there */
	const struct wm_profile_path *path;	    /* NULL: did not run; of functions always */
	uint64_t instructions;			    /* executed */
	double share;				    /* 0 to 1 */
};

struct wm_diff_row {
	int change; /* enum wm_path_change or wm_function_change */
	struct wm_diff_side before;
	struct wm_diff_side after;
};

/* A function whose rows changed: the listing is by function. */
struct wm_diff_group {
	struct wm_diff_side before; /* of the function */
	struct wm_diff_side after;
	const struct wm_diff_row *total; /* its totals are compared; NULL: its paths are */
	size_t path_count;
	const struct wm_diff_row **paths; /* in the order of the comparison's */
	size_t changes[WM_PATH_CHANGES];
	double moved; /* by how much the shares of its rows, in sum */
};

struct wm_path_diff {
	uint64_t before; /* instructions that shares are shares of */
	uint64_t after;
	bool same_build;
	bool scaled; /* one run did much more of the same work than the other: a path has moved
			only if its share has */
	size_t group_count;
	struct wm_diff_group *groups; /* by how far their shares moved */
	size_t path_count;
	struct wm_diff_row *paths; /* by how far the share moved, then the count */
	size_t changes[WM_PATH_CHANGES];
	size_t same; /* paths that ran as often as before or, if scaled, with the same share */
	size_t function_count;
	struct wm_diff_row *functions; /* by how far the share moved */
	size_t left_out;       /* functions that ran and cannot be compared: one side counted only
				  selected paths of them, or nothing */
	double overlap;	       /* sum of the smaller share of each path, or function, in both */
	size_t compared_paths; /* that ran in functions whose paths can be compared */
	double path_overlap;   /* the same sum of these paths only, as shares of their work */
	size_t compared_by_total; /* functions in both that are compared by their totals */
};

/* Compares; everything lives in the arena and points into the profiles. If `chosen`, both were left
 * with chosen paths (wm_path_set_filter), and functions without any are not compared. */
void wm_path_diff_make(struct wm_arena *arena, const struct wm_profile *before,
	const struct wm_profile *after, bool chosen, struct wm_path_diff *diff);

#endif
