/* What every function that makes threads does around the function that it replaces. The thread's
 * slot is made ready before, and handed over so that the thread's first count goes there: see
 * threads.h. */
#ifndef WM_RUNTIME_MAKE_THREAD_H
#define WM_RUNTIME_MAKE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/thread/threads.h"

typedef int wm_pthread_maker(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int wm_c11_maker(thrd_t *, thrd_start_t, void *);

/* The signals that the attributes block; NULL if they say nothing of signals, as in older C
 * libraries. The first word of a set is the kernel's. */
static inline const uint64_t *wm_attributes_mask(const pthread_attr_t *attributes, sigset_t *set)
{
	int has_mask = 0;
#if __GLIBC_PREREQ(2, 32)
	has_mask = attributes && pthread_attr_getsigmask_np(attributes, set) == 0;
#endif
	return attributes && has_mask ? (const uint64_t *)set : NULL;
}

static inline int wm_make_pthread(wm_pthread_maker *make, pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	struct wm_making making;
	sigset_t set;
	const uint64_t *mask = wm_attributes_mask(attributes, &set);
	if (__waymark_thread_prepare(&making, function, argument, mask))
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
	if (__waymark_thread_prepare(
		    &making, (void *(*)(void *))(uintptr_t)function, argument, NULL))
		return make(thread, function, argument);
	int status = make(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, making.slot);
	__waymark_thread_made(&making, status == thrd_success);
	return status;
}

#endif
