/* Signals that wait while a thread or a child comes into being: it begins with its maker's
 * counters, and a handler must not count there. */
#ifndef WM_RUNTIME_SIGNALS_H
#define WM_RUNTIME_SIGNALS_H

#include <signal.h>
#include <stdint.h>

#define WM_SIGNAL(number) ((uint64_t)1 << ((number) - 1))

/* Those of the C library: for cancellation, and for setuid, which waits until all threads have
 * answered. Their handlers do not count. */
#define WM_SIGNALS_OF_LIBRARY (WM_SIGNAL(32) | WM_SIGNAL(33))

/* All others but those of faults, which a program may handle: its pages may be protected, and the C
 * library writes to some of them. */
static inline uint64_t wm_signals_that_wait(void)
{
	return ~(WM_SIGNAL(SIGSEGV) | WM_SIGNAL(SIGBUS) | WM_SIGNAL(SIGILL) | WM_SIGNAL(SIGFPE) |
		 WM_SIGNAL(SIGTRAP) | WM_SIGNAL(SIGSYS) | WM_SIGNALS_OF_LIBRARY);
}

#endif
