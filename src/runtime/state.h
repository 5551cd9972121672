/* The state of this copy of the runtime: one object (program or shared library), the slots of its
 * threads, one lock. */
#ifndef WM_RUNTIME_STATE_H
#define WM_RUNTIME_STATE_H

#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include "runtime/file/chunk.h"
#include "runtime/file/object.h"

/* Kinds of events that an object sums at most. */
enum { WM_EVENT_WORDS = 8 };

struct wm_events_words {
	uint64_t word[WM_EVENT_WORDS];
};

/* A thread's place to count. A slot whose thread is dead goes to the next one that starts, counts
 * and all: a sum does not depend on which thread added. */
struct wm_slot {
	struct wm_slot *next;
	struct wm_chunk chunk;
	uint64_t saved; /* a chunk in memory: its number in the file once it was written there */
	int thread;	/* kernel's id; 0: not running yet, or none */
	int ended;	/* the thread is at its end: the slot is free when it is dead */
	void *kept;	/* while counting pauses: the chunk, mapped elsewhere */
	void *(*start)(void *);
	void *argument;
	uint64_t mask; /* mask of signals of the thread's maker */
	/* Running sums of events: what a thread that had the slot before summed, and what was
	 * summed in chunks that were let go of. */
	uint64_t events_base[WM_EVENT_WORDS];
	uint64_t events_carried[WM_EVENT_WORDS];
	uint64_t events_at_fork[WM_EVENT_WORDS];
	struct wm_events_words events_words_at_fork;
	int is_masked; /* the thread starts with the mask that its maker had then, and keeps it
			*/
};

struct wm_state {
	int lock;
	int started; /* a slot exists; 0 also where the object cannot be profiled */
	int tried;
	int paused;
	int counts_in_place; /* some thread without a slot may be adding to the static counters */
	int stopped;	     /* the destructor of a library has run */
	int slots_left; /* new slots that threads get before those of dead ones are used again */
	struct wm_own_object object;
	char pattern[PATH_MAX];
	struct wm_slot *slots;
	struct wm_slot *first; /* that of the run: takes what was counted outside of slots */
	struct wm_slot *reset; /* holds the negated counts of the last reset, or NULL */
	pthread_key_t key;
	int has_key;
};

extern struct wm_state wm_state;

/* False while the C library does not know the environment, which is before all constructors of a
 * dynamically linked program. */
int wm_state_can_start(void);

/* Starts counting into slots, unless this was tried before. */
void wm_state_start(void);

/* Signals wait while the lock is held, so that a handler may take it too. */
void wm_state_lock(uint64_t *before);
void wm_state_unlock(const uint64_t *before);

/* Whether the calling thread holds it: what the runtime calls may be the program's own, and count.
 */
int wm_state_is_held(void);

static inline size_t wm_state_counter_count(void)
{
	return wm_chunk_counter_count(&wm_state.object);
}

#endif
