/* Planning: what to count in a captured function, and where. */
#ifndef WM_LLVM_PLANNING_H
#define WM_LLVM_PLANNING_H

#include "format/plugin_options.h"
#include "llvm/lower.h"
#include "llvm/sums.h"

struct wm_planned {
	enum wm_problem problem;
	uint32_t counter_count;
	uint32_t array_limit;
	uint32_t probe_count;
	struct wm_probe *probes;
	const bool *cut;	   /* by edge: where paths end; NULL without paths */
	const bool *soft;	   /* by edge: where they go on in a context; likewise */
	struct wm_plan plan;	   /* without paths */
	struct wm_path_plan paths; /* with paths, but for the oracle */
	struct wm_sums sums;	   /* with selected or preferred paths */
};

/* Plans for the problem that the options name. A function whose paths cannot be counted is planned
 * by its edges. Fails with the reason why the function must stay as it is. */
int wm_planning_make(struct wm_arena *arena, const struct wm_plugin_options *options,
	const struct wm_lowering *lowering, struct wm_planned *planned, struct wm_error *error);

/* Whether a probe fits on the edge. */
bool wm_planning_is_countable(const struct wm_site *site);

#endif
