/* Order by weight. */
#ifndef WM_CORE_ORDER_H
#define WM_CORE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

/* The numbers 0 .. count-1 by falling weight (rising if asked), equal weights in rising order.
 * Linear time. No weight is a NaN. */
uint32_t *wm_order_by_weight(
	struct wm_arena *arena, const double *weight, uint32_t count, bool rising);

#endif
