/* Counters of functions that count them by context: each has an entry by key, which is the chain,
 * for each context (format/context_layout.h). */
#ifndef WM_PROFILE_CONTEXT_COUNTS_H
#define WM_PROFILE_CONTEXT_COUNTS_H

#include "profile/contexts.h"

/* So many counters from the first on, each of them in all contexts together. */
const uint64_t *wm_context_counts_sum(
	struct wm_arena *arena, const struct wm_file *file, uint64_t first, uint32_t count);

/* Records by their chains. */
struct wm_context_chains {
	const uint64_t *chain; /* by record */
	uint32_t *table;       /* by hash: record + 1, or 0 */
	uint64_t mask;
};

struct wm_context_chains wm_context_chains_make(
	struct wm_arena *arena, const uint64_t *chain, uint32_t record_count);

/* The record with that chain, or WM_NONE. */
uint32_t wm_context_chains_find(const struct wm_context_chains *chains, uint64_t chain);

#endif
