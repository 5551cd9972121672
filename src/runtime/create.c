/* Making threads, in a dynamically linked program: this definition comes before the C library's,
 * also for the libraries that the program uses. A thread gets its slot before it runs; without that
 * it would count into the block of the thread that made it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "runtime/threads.h"

/* The name by which the linker is made to take this file from its archive. */
const char __waymark_thread_makers = 0;

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* A sanitizer's own, which must see every thread. */
extern create_function __interceptor_pthread_create __attribute__((weak));

static create_function *next_maker(void)
{
	static create_function *create;
	if (!create && &__interceptor_pthread_create)
		create = __interceptor_pthread_create;
	if (!create)
		create = (create_function *)(uintptr_t)dlsym(RTLD_NEXT, "pthread_create");
	return create;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	create_function *create = next_maker();
	struct wm_slot *slot = __waymark_thread_prepare(function, argument);
	if (!slot)
		return create(thread, attributes, function, argument);
	int status = create(thread, attributes, __waymark_thread_run, slot);
	if (status)
		__waymark_thread_cancel(slot);
	return status;
}
