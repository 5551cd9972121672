/* What the functions that make threads need (create.c), seen from the program's side.
 *
 * A new thread inherits the base of the gs register, and a signal may come, and its handler count,
 * before the thread's first function runs. So the maker has the new thread's base while it makes
 * it, and its own signals wait: then no two threads ever count into one chunk.
 */
#ifndef WM_RUNTIME_THREADS_H
#define WM_RUNTIME_THREADS_H

#include <stdint.h>

struct wm_slot;

/* What the maker of a thread sets aside while it makes the thread. */
struct wm_making {
	struct wm_slot *slot; /* the new thread's: once that runs, the maker leaves it alone */
	uint64_t mask;	      /* the maker's signals */
	int64_t delta;	      /* the maker's own */
};

/* To be called before a thread is made that will run the function, with the mask of signals of its
 * attributes, or NULL. Returns -1, with nothing changed, if the program is not counting. */
int __waymark_thread_prepare(
	struct wm_making *making, void *(*function)(void *), void *argument, const uint64_t *mask);

/* Afterwards, whether it was made or not. */
void __waymark_thread_made(const struct wm_making *making, int success);

/* What the thread runs: counts into the slot from its first instruction on. */
void *__waymark_thread_run(void *slot);

#endif
