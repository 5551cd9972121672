/* Disjoint sets of 0 .. count-1 with union and find in amortised logarithmic time. */
#ifndef WM_CORE_DISJOINT_SETS_H
#define WM_CORE_DISJOINT_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_disjoint_sets {
	uint32_t *parent;
};

/* Every element alone in its set. */
struct wm_disjoint_sets wm_disjoint_sets_make(struct wm_arena *arena, uint32_t count);

/* Every element alone again. */
void wm_disjoint_sets_clear(struct wm_disjoint_sets *sets, uint32_t count);

/* The representative of the set that holds the element. */
uint32_t wm_disjoint_sets_find(struct wm_disjoint_sets *sets, uint32_t element);

/* Joins two sets; the representative of the second represents both. False if they were one set. */
bool wm_disjoint_sets_join(struct wm_disjoint_sets *sets, uint32_t element, uint32_t into);

#endif
