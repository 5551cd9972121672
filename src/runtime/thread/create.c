/* Making threads, in a dynamically linked program: this definition comes before the C library's,
 * also for the libraries that the program uses. A thread gets its slot before it runs; without that
 * it would count into the chunk of the thread that made it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/thread/make_thread.h"

/* The name by which the linker is made to take this file from its archive. */
const char __waymark_thread_makers = 0;

/* A sanitizer's own, which must see every thread. */
extern wm_pthread_maker __interceptor_pthread_create __attribute__((weak));

static wm_pthread_maker *next_maker(void)
{
	static wm_pthread_maker *create;
	if (!create && &__interceptor_pthread_create)
		create = __interceptor_pthread_create;
	if (!create)
		create = (wm_pthread_maker *)(uintptr_t)dlsym(RTLD_NEXT, "pthread_create");
	return create;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
	const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	return wm_make_pthread(next_maker(), thread, attributes, function, argument);
}
