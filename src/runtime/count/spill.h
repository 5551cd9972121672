/* A few static cells for counts by key that no table can take just now. */
#ifndef WM_RUNTIME_SPILL_H
#define WM_RUNTIME_SPILL_H

#include <stdint.h>

/* Counts into one of them. For when tables cannot be used, because the runtime has not started yet
 * or this very thread is inside it. */
void wm_spill_count(const uint64_t *site, uint64_t key);

/* Whether there is anything to take over. */
int wm_spill_is_used(void);

/* Whether counts were lost, because there were too many keys. */
int wm_spill_has_lost(void);

/* Hands out each (site, key) with what was counted since the last time. */
void wm_spill_take(void (*take)(uint64_t site, uint64_t key, uint64_t count));

/* Forgets all counts: a forked child's parent has them. */
void wm_spill_clear(void);

#endif
