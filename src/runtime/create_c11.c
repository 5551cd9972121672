/* The same as create.c for the threads of C11. In a file of its own: a program may define one of
 * the two functions itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/threads.h"

typedef int create_function(thrd_t *, thrd_start_t, void *);

/* A thread of C11 returns an int, in the register where the other kind returns its pointer. */
__attribute__((visibility("default"))) int thrd_create(
	thrd_t *thread, thrd_start_t function, void *argument)
{
	static create_function *create;
	if (!create)
		create = (create_function *)(uintptr_t)dlsym(RTLD_NEXT, "thrd_create");
	struct wm_slot *slot =
		__waymark_thread_prepare((void *(*)(void *))(uintptr_t)function, argument);
	if (!slot)
		return create(thread, function, argument);
	int status = create(thread, (thrd_start_t)(uintptr_t)__waymark_thread_run, slot);
	if (status != thrd_success)
		__waymark_thread_cancel(slot);
	return status;
}
