/* A calling context tree as it is shown: what stands for a record, and what is spent in it. */
#ifndef WM_REPORT_TREE_H
#define WM_REPORT_TREE_H

#include "core/contexts/by_function.h"
#include "core/contexts/costs.h"
#include "profile/contexts.h"
#include "report/short_names.h"

struct wm_tree {
	const struct wm_profile *profile;
	const struct wm_contexts *by_site; /* whatever is shown */
	struct wm_contexts contexts;
	bool by_function;	    /* sites are not told apart */
	const uint64_t *entries;    /* by record: how often it was entered */
	const uint64_t *recursion;  /* by record: entries by recursion */
	const uint64_t *own;	    /* by record: what rows have a share of */
	const bool *is_lower_bound; /* by record: of its own and what is below it */
	const char *metric;	    /* what is spent, as users type it */
	const struct wm_short_names *names;
};

/* By calls. Lives in the arena. */
struct wm_tree wm_tree_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, bool by_function);

#endif
