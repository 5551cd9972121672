/* The same as create_wrapped.c for the threads of C11. */
#include <stdint.h>
#include <threads.h>

#include "runtime/threads.h"

int __real_thrd_create(thrd_t *, thrd_start_t, void *);
int __wrap_thrd_create(thrd_t *, thrd_start_t, void *);

int __wrap_thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	struct wm_slot *slot =
		__waymark_thread_prepare((void *(*)(void *))(uintptr_t)function, argument);
	if (!slot)
		return __real_thrd_create(thread, function, argument);
	int status =
		__real_thrd_create(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, slot);
	if (status != thrd_success)
		__waymark_thread_cancel(slot);
	return status;
}
