/* What the functions that make threads need (create.c), seen from the program's side. */
#ifndef WM_RUNTIME_THREADS_H
#define WM_RUNTIME_THREADS_H

struct wm_slot;

/* A slot for a thread that will run the function; NULL if the program is not counting. */
struct wm_slot *__waymark_thread_prepare(void *(*function)(void *), void *argument);

/* The thread was not made after all. */
void __waymark_thread_cancel(struct wm_slot *slot);

/* What the thread runs: counts into the slot from its first instruction on. */
void *__waymark_thread_run(void *slot);

#endif
