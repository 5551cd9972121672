/* Making threads in statically linked programs, where the linker is asked to put this function
 * before the C library's (--wrap). */
#define _GNU_SOURCE
#include "runtime/thread/make_thread.h"

wm_pthread_maker __real_pthread_create, __wrap_pthread_create;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
	void *(*function)(void *), void *argument)
{
	return wm_make_pthread(__real_pthread_create, thread, attributes, function, argument);
}
