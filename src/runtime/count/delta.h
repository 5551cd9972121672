/* The difference between a thread's counters and the static ones: what a probe adds to an address.
 */
#ifndef WM_RUNTIME_DELTA_H
#define WM_RUNTIME_DELTA_H

#include <stdint.h>

/* Read by code that does not count through the gs register. */
extern __thread int64_t __waymark_delta __attribute__((tls_model("initial-exec")));

/* Whether the object's code counts through the gs register: that of programs. */
int wm_delta_is_in_segment(void);

/* The calling thread's delta; 0 if it has no counters of its own. Setting it returns -1 if the
 * system refuses. The thread then goes on with the static counters. */
int wm_delta_set(int64_t delta);
int64_t wm_delta_get(void);

/* Sets only what a thread that the calling one makes would inherit: the base of the gs register, if
 * code counts through it. */
void wm_delta_set_inherited(int64_t delta);

#endif
