/* The same as create.c for the threads of C11. In a file of its own: a program may define one of
 * the two functions itself. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/thread/make_thread.h"

__attribute__((visibility("default"))) int thrd_create(
	thrd_t *thread, thrd_start_t function, void *argument)
{
	static wm_c11_maker *create;
	if (!create)
		create = (wm_c11_maker *)(uintptr_t)dlsym(RTLD_NEXT, "thrd_create");
	return wm_make_c11_thread(create, thread, function, argument);
}
