/* What every function that makes threads does around the next one. The thread's slot is made ready
 * before, and handed over such that it counts there whenever it first counts: see threads.h. */
#ifndef WM_RUNTIME_MAKE_THREAD_H
#define WM_RUNTIME_MAKE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/threads.h"

typedef int wm_pthread_maker(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int wm_c11_maker(thrd_t *, thrd_start_t, void *);

/* Older C libraries have no masks in attributes. */
static inline int wm_attributes_have_mask(const pthread_attr_t *attributes)
{
#if __GLIBC_PREREQ(2, 32)
	sigset_t mask;
	return attributes && pthread_attr_getsigmask_np(attributes, &mask) == 0;
#else
	(void)attributes;
	return 0;
#endif
}

static inline int wm_make_pthread(wm_pthread_maker *make, pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	struct wm_making making;
	int has_mask = wm_attributes_have_mask(attributes);
	if (__waymark_thread_prepare(&making, function, argument, has_mask))
		return make(thread, attributes, function, argument);
	int status = make(thread, attributes, __waymark_thread_run, making.slot);
	__waymark_thread_made(&making, !status);
	return status;
}

/* A thread of C11 returns an int, in the register where the other kind returns its pointer. */
static inline int wm_make_c11_thread(
	wm_c11_maker *make, thrd_t *thread, thrd_start_t function, void *argument)
{
	struct wm_making making;
	if (__waymark_thread_prepare(&making, (void *(*)(void *))(uintptr_t)function, argument, 0))
		return make(thread, function, argument);
	int status = make(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, making.slot);
	__waymark_thread_made(&making, status == thrd_success);
	return status;
}

#endif
