/* The difference between a thread's counters and the static ones: what a probe adds to an address.
 */
#ifndef WM_RUNTIME_DELTA_H
#define WM_RUNTIME_DELTA_H

#include <stdint.h>

/* Of the calling thread. 0: it has no counters of its own. Setting it returns -1 where the system
 * refuses: then the thread goes on with the static counters. */
int wm_delta_set(int64_t delta);
int64_t wm_delta_get(void);

#endif
