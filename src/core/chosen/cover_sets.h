/* Sets that cover the same elements as all sets together: which of many tests are needed.
 *
 * Elements come as rows of bits: which sets have the element. A smallest cover is hard to find; the
 * greedy one is at most a factor of ln(elements) larger (Chvatal, "A Greedy Heuristic for the
 * Set-Covering Problem", 1979). */
#ifndef WM_CORE_CHOSEN_COVER_SETS_H
#define WM_CORE_CHOSEN_COVER_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_set_cover_request {
	size_t set_count;
	size_t element_count;
	const uint64_t *const *elements; /* by element: a bit for each set */
	const double *costs;		 /* by set; of sets that add as much, the cheaper is taken */
	bool by_cost;			 /* take what adds most for its cost, not what adds most */
	const bool *first;		 /* by set: taken before all others; or NULL */
};

struct wm_set_cover {
	size_t *sizes; /* by set: its elements */
	size_t *own;   /* by set: elements that no other set has */
	size_t kept_count;
	size_t *kept;  /* sets that cover everything, in the order in which they were taken */
	size_t *added; /* by kept set: elements that those before do not have */
};

/* Sets with elements of their own are taken first, unless `by_cost`; then what adds most. */
void wm_set_cover_make(
	struct wm_arena *arena, const struct wm_set_cover_request *request, struct wm_set_cover *cover);

#endif
