/* Running sums of events: what a thread has summed is its word, plus what was carried over from
 * chunks that were let go of, less what the slot's earlier threads had summed. */
#ifndef WM_RUNTIME_EVENTS_H
#define WM_RUNTIME_EVENTS_H

#include "runtime/state.h"

/* Arms what WAYMARK_STOP_AT or WAYMARK_LIMIT ask for, for the calling thread. */
void wm_events_start(void);

/* Of the calling thread. */
const struct wm_slot *wm_events_slot(void);

/* Code that sums what a call does compares its thread's words before and behind the call. So they
 * go on from their values where the slot gets another chunk; what they are too large by stands in
 * the second part of the sum. Builds that look for limits keep their words themselves. */
struct wm_events_words wm_events_read(const struct wm_slot *slot);
void wm_events_go_on(const struct wm_slot *slot, const struct wm_events_words *from);

/* The slot is another thread's from here on, which starts at zero. */
void wm_events_take(struct wm_slot *slot);

/* Keeps the forking thread's sums for its child, which goes on with them. */
void wm_events_before_fork(struct wm_slot *slot);
void wm_events_in_child(struct wm_slot *slot);

/* The slot has another chunk: the counters of the one before, in which nothing counts any more, or
 * those that it will have let go of. */
void wm_events_carry(struct wm_slot *slot, const uint64_t *counters);

/* The counts of one slot are about to be moved to another. */
void wm_events_move(struct wm_slot *from, struct wm_slot *to);

#endif
