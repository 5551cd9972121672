/* What contexts cost, with the calls that they make. */
#ifndef WM_CORE_CONTEXT_COSTS_H
#define WM_CORE_CONTEXT_COSTS_H

#include "core/contexts/contexts.h"

/* By record: its own cost and that of all records below it, so children and own cost add up to it.
 */
uint64_t *wm_context_costs(
	struct wm_arena *arena, const struct wm_contexts *contexts, const uint64_t *own);

/* By record: whether recursion leads from it, or from below it, to above it. What that recursion
 * costs stands above, so the cost of the record with those below it is a lower bound of what was
 * spent in calls of the context. Of other records it is exact. */
bool *wm_context_lower_bounds(struct wm_arena *arena, const struct wm_contexts *contexts);

/* The cost of a function with the calls that it makes. */
struct wm_context_sum {
	uint64_t cost;	     /* the sum over its records */
	bool is_lower_bound; /* of what was spent while the function was active */
};

/* By function, of that many. No record of a function is below another one, so nothing is counted
 * twice. But recursion that leads from below a function's record to a record above it spends its
 * cost there, while the function is still active: then the sum is too small, and only then. */
struct wm_context_sum *wm_context_sums(struct wm_arena *arena, const struct wm_contexts *contexts,
	const uint64_t *own, uint32_t function_count);

#endif
