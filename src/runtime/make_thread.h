/* What every function that makes threads does around the next one. */
#ifndef WM_RUNTIME_MAKE_THREAD_H
#define WM_RUNTIME_MAKE_THREAD_H

#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/threads.h"

typedef int wm_pthread_maker(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int wm_c11_maker(thrd_t *, thrd_start_t, void *);

static inline int wm_make_pthread(wm_pthread_maker *make, pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	struct wm_slot *slot = __waymark_thread_prepare(function, argument);
	if (!slot)
		return make(thread, attributes, function, argument);
	int status = make(thread, attributes, __waymark_thread_run, slot);
	if (status)
		__waymark_thread_cancel(slot);
	return status;
}

/* A thread of C11 returns an int, in the register where the other kind returns its pointer. */
static inline int wm_make_c11_thread(
	wm_c11_maker *make, thrd_t *thread, thrd_start_t function, void *argument)
{
	struct wm_slot *slot =
		__waymark_thread_prepare((void *(*)(void *))(uintptr_t)function, argument);
	if (!slot)
		return make(thread, function, argument);
	int status = make(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, slot);
	if (status != thrd_success)
		__waymark_thread_cancel(slot);
	return status;
}

#endif
