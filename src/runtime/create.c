/* Making threads, in a dynamically linked program: these definitions come before the C library's,
 * also for the libraries that the program uses. A thread gets its slot before it runs; without that
 * it would count into the block of the thread that made it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/threads.h"

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11_function(thrd_t *, thrd_start_t, void *);

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	static create_function *create;
	if (!create)
		create = (create_function *)(uintptr_t)dlsym(RTLD_NEXT, "pthread_create");
	struct wm_slot *slot = __waymark_thread_prepare(function, argument);
	if (!slot)
		return create(thread, attributes, function, argument);
	int status = create(thread, attributes, __waymark_thread_run, slot);
	if (status)
		__waymark_thread_cancel(slot);
	return status;
}

/* A thread of C11 returns an int, in the register where the other kind returns its pointer. */
__attribute__((visibility("default"))) int thrd_create(
	thrd_t *thread, thrd_start_t function, void *argument)
{
	static create_c11_function *create;
	if (!create)
		create = (create_c11_function *)(uintptr_t)dlsym(RTLD_NEXT, "thrd_create");
	struct wm_slot *slot =
		__waymark_thread_prepare((void *(*)(void *))(uintptr_t)function, argument);
	if (!slot)
		return create(thread, function, argument);
	int status = create(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, slot);
	if (status != thrd_success)
		__waymark_thread_cancel(slot);
	return status;
}
