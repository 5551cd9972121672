/* What paths and functions cost by a metric: few are hot, and of these some cost more per
 * instruction than the whole program.
 *
 * Paths or functions with at least a given share of the whole cost are hot, others cold. A hot one
 * is dense if it has more cost per instruction than all together, otherwise sparse: it is hot
 * because it runs so often. The loops whose paths have one cost together count as one path each.
 * After G. Ammons, T. Ball and J. R. Larus, Exploiting hardware performance counters with flow and
 * context sensitive profiling, 1997, section 6.4. */
#ifndef WM_REPORT_COSTS_H
#define WM_REPORT_COSTS_H

#include "profile/profile.h"

enum wm_cost_class { WM_COST_DENSE, WM_COST_SPARSE, WM_COST_COLD, WM_COST_CLASSES };

struct wm_cost_row {
	const struct wm_profile_function *function;
	const struct wm_profile_path *path; /* NULL: a group, or a whole function */
	uint32_t group;			    /* of the function's section, if it is one */
	uint64_t count;
	uint64_t instructions;
	int64_t cost;
	uint32_t paths; /* of a function: those and groups with a cost */
	enum wm_cost_class class;
};

struct wm_cost_sums {
	uint64_t number;
	uint64_t instructions;
	int64_t cost;
	uint64_t paths; /* of functions: together */
};

struct wm_cost_table {
	size_t count;
	struct wm_cost_row *rows; /* by falling cost */
	struct wm_cost_sums sums[WM_COST_CLASSES];
};

struct wm_costs {
	struct wm_cost_table paths, functions;
	int64_t cost; /* of all */
	uint64_t instructions;
	uint32_t unread;	   /* paths that ran, but ended where nothing can be read */
	double paths_of_hot_block; /* on how many paths that ran a block of a hot path lies */
};

/* Whether any function has the metric; `percent` of the cost makes hot. */
bool wm_costs_find(struct wm_arena *arena, const struct wm_profile *profile, const char *meter,
	double percent, struct wm_costs *costs);

/* The metrics of the profile, in a list for people; empty if there are none. */
const char *wm_costs_list_meters(struct wm_arena *arena, const struct wm_profile *profile);

#endif
