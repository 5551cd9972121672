/* The same as create_wrapped.c for the threads of C11. */
#define _GNU_SOURCE
#include "runtime/thread/make_thread.h"

wm_c11_maker __real_thrd_create, __wrap_thrd_create;

int __wrap_thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	return wm_make_c11_thread(__real_thrd_create, thread, function, argument);
}
