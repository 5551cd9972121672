/* Slots: handing out chunks to threads. All of it under the state's lock, except for ends. */
#ifndef WM_RUNTIME_SLOT_H
#define WM_RUNTIME_SLOT_H

#include "runtime/state.h"

/* Reads whether each thread is to have a slot of its own (WAYMARK_THREADS=1). */
void wm_slot_choose(void);

/* A slot for a thread that is about to run: one whose thread is dead, or a new one, in the file or,
 * failing that, in memory. NULL without memory. */
struct wm_slot *wm_slot_take(void);

/* A slot of its own that no thread uses. */
struct wm_slot *wm_slot_make(void);

/* The calling thread counts into the slot from here on. */
void wm_slot_enter(struct wm_slot *slot);

/* Notes in the chunk whether its thread ends as intended. Takes the lock only while counting
 * pauses, because the true header may move then. Otherwise it makes no system call, for which a
 * sandbox may kill a thread at its end. */
void wm_slot_set_ended(struct wm_slot *slot, int ended);

/* The thread of this slot ends, or was never made. Thread-local destructors may run later, and
 * count: the slot is free when the thread is dead. */
void wm_slot_end(void *slot);

/* What a thread that counts into the slot adds to addresses. */
int64_t wm_slot_delta(const struct wm_slot *slot);

/* The slot that the calling thread counts into, or NULL. */
struct wm_slot *wm_slot_of_caller(void);

/* From now on the page at that offset of each chunk is no counters: it stays where it is and what
 * it is when slots pause, go on, or get fresh chunks. */
void wm_slot_set_apart(uint64_t offset);

/* Forgets the slot and unmaps its chunk. */
void wm_slot_drop(struct wm_slot *slot);

/* A fresh chunk for the slot at the same address, so that code which holds the address in a
 * register goes on unharmed: in the file or, failing that, in memory. */
int wm_slot_renew(struct wm_slot *slot);

/* Lets the slot count into memory that nobody reads, and back. Returns 0, or -1 if it cannot. */
int wm_slot_pause(struct wm_slot *slot);
int wm_slot_resume(struct wm_slot *slot);

/* The chunk's true header and counters, paused or not. */
struct wm_chunk_header *wm_slot_header(const struct wm_slot *slot);
uint64_t *wm_slot_counters(const struct wm_slot *slot);

#endif
