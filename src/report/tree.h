/* A calling context tree as it is shown: what stands for a record, and what is spent in it. */
#ifndef WM_REPORT_TREE_H
#define WM_REPORT_TREE_H

#include "core/contexts/by_function.h"
#include "core/contexts/costs.h"
#include "profile/contexts.h"

struct wm_tree {
	const struct wm_profile *profile;
	const struct wm_contexts *by_site; /* whatever is shown */
	const struct wm_profile_contexts *found;
	const uint32_t *record_of; /* by record of by_site: that of contexts; NULL: the same */
	struct wm_contexts contexts;
	bool by_function;	    /* sites are not told apart */
	const uint64_t *entries;    /* by record: how often it was entered */
	const uint64_t *recursion;  /* by record: entries by recursion */
	const uint64_t *own;	    /* by record: what rows have a share of */
	const bool *is_lower_bound; /* by record: of its own and what is below it */
	uint64_t folded;	    /* of all entries: in contexts beyond the limit of the build */
	const char *metric;	    /* what is spent, as users type it */
	const char **names;	    /* by function: as names of contexts have it */
};

/* By calls. Lives in the arena. Where the limit was reached, it is not known from where what is
 * beyond it was called: then all sums of functions that call any are lower bounds. */
struct wm_tree wm_tree_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, bool by_function);

/* Entries that its contexts have more or less than the counters of the function say: of the first
 * function of which they differ. Each thread that was cut short, or that counts now, may have one.
 */
struct wm_tree_difference {
	uint32_t functions; /* of which they differ; 0: the rest is 0 */
	uint32_t function;
	uint64_t in_contexts, by_counters;
};

struct wm_tree_difference wm_tree_check(const struct wm_tree *tree);

/* By function: what is spent in its contexts and below them. */
struct wm_context_sum *wm_tree_sums(struct wm_arena *arena, const struct wm_tree *tree);

/* By record: how much of the kind it spent itself. NULL if that was not counted by context. */
const uint64_t *wm_tree_figures(
	struct wm_arena *arena, const struct wm_tree *tree, const struct wm_event_kind *kind);

#endif
