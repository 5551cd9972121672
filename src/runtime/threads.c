/* A program's threads from their making to their first function (the idea: threads.h).
 *
 * No system call but one is on this account: the maker's signals wait from the moment on that it
 * holds the lock, and the new thread's get their mask back when it leaves the lock.
 */
#define _GNU_SOURCE
#include "runtime/threads.h"

#include <unistd.h>

#include "runtime/delta.h"
#include "runtime/signals.h"
#include "runtime/slot.h"
#include "runtime/system.h"

/* The constructors of libraries run before the program's and may make threads, which would count at
 * the static counters all together. Only before all constructors the start is still to come: the C
 * library does not know the environment then. */
static int can_start(void)
{
	return __environ != NULL;
}

int __waymark_thread_prepare(
	struct wm_making *making, void *(*function)(void *), void *argument, int has_mask)
{
	if (!wm_state.tried && can_start())
		wm_state_start();
	if (!wm_state.started)
		return -1;
	wm_state_lock(&making->mask);
	struct wm_slot *slot = making->slot = wm_slot_take();
	uint64_t mask = making->mask;
	if (slot) {
		slot->start = function;
		slot->argument = argument;
		slot->mask = making->mask;
		slot->has_mask = has_mask;
		making->delta = wm_delta_get();
		wm_delta_set_inherited(wm_slot_delta(slot));
		mask |= wm_signals_that_wait();
	}
	wm_state_unlock(&mask);
	return slot ? 0 : -1;
}

void __waymark_thread_made(const struct wm_making *making, int success)
{
	wm_delta_set_inherited(making->delta);
	if (!success)
		wm_slot_end(making->slot);
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, &making->mask, NULL, sizeof(making->mask));
}

/* Whether the new thread has its maker's mask. Without attributes it may still have the one of the
 * program's default attributes; and the kernel and the C library keep some signals to themselves.
 */
static int has_mask_of_maker(const struct wm_slot *slot, uint64_t mask)
{
	const uint64_t signal_of_cancellation = WM_SIGNAL(32);
	const uint64_t kept = WM_SIGNAL(SIGKILL) | WM_SIGNAL(SIGSTOP) | signal_of_cancellation;
	return !slot->has_mask && (mask | kept) == (slot->mask | wm_signals_that_wait() | kept);
}

void *__waymark_thread_run(void *slot)
{
	struct wm_slot *own = slot;
	void *(*function)(void *) = own->start;
	void *argument = own->argument;
	uint64_t mask;
	wm_state_lock(&mask);
	if (has_mask_of_maker(own, mask))
		mask &= own->mask;
	int attached = __waymark_delta != 0; /* by a signal's handler that has counted here */
	if (!attached)
		wm_slot_enter(own);
	wm_state_unlock(&mask);
	if (attached)
		wm_slot_end(own);
	return function(argument);
}
