/* Making threads, where the linker is asked to put these functions before others (--wrap): in
 * statically linked programs, and beside sanitizers, which have definitions of their own.
 */
#include <pthread.h>

#include "runtime/threads.h"

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
	void *(*function)(void *), void *argument)
{
	struct wm_slot *slot = __waymark_thread_prepare(function, argument);
	if (!slot)
		return __real_pthread_create(thread, attributes, function, argument);
	int status = __real_pthread_create(thread, attributes, __waymark_thread_run, slot);
	if (status)
		__waymark_thread_cancel(slot);
	return status;
}
