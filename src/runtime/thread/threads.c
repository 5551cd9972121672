/* A program's threads from creation to their first function (the idea: threads.h).
 *
 * This takes only one more system call: the maker's signals wait from the moment when it takes the
 * lock, and the new thread gets its mask back when it leaves the lock. */
#define _GNU_SOURCE
#include "runtime/thread/threads.h"

#include "runtime/count/delta.h"
#include "runtime/thread/signals.h"
#include "runtime/count/slot.h"
#include "runtime/system.h"

/* The maker's mask while it makes a thread. */
static uint64_t mask_of_making(uint64_t mask)
{
	return mask | wm_signals_that_wait();
}

/* Leaves out the signals that the kernel and the C library keep for themselves. */
static int are_equal(uint64_t mask, uint64_t other)
{
	const uint64_t kept = WM_SIGNAL(SIGKILL) | WM_SIGNAL(SIGSTOP) | WM_SIGNALS_OF_LIBRARY;
	return (mask | kept) == (other | kept);
}

static void fill(struct wm_slot *slot, void *(*function)(void *), void *argument, uint64_t mask)
{
	slot->start = function;
	slot->argument = argument;
	slot->mask = mask;
}

int __waymark_thread_prepare(
	struct wm_making *making, void *(*function)(void *), void *argument, const uint64_t *mask)
{
	/* Constructors of libraries run before the program's: their threads would count together.
	 */
	if (!wm_state.tried && wm_state_can_start())
		wm_state_start();
	if (!wm_state.started)
		return -1;
	wm_state_lock(&making->mask);
	struct wm_slot *slot = making->slot = wm_slot_take();
	uint64_t meanwhile = slot ? mask_of_making(making->mask) : making->mask;
	if (slot) {
		fill(slot, function, argument, making->mask);
		slot->is_masked = mask && are_equal(*mask, meanwhile);
		making->delta = wm_delta_get();
		wm_delta_set_inherited(wm_slot_delta(slot));
	}
	wm_state_unlock(&meanwhile);
	return slot ? 0 : -1;
}

void __waymark_thread_made(const struct wm_making *making, int success)
{
	wm_delta_set_inherited(making->delta);
	if (!success)
		wm_slot_end(making->slot);
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, &making->mask, NULL, sizeof(making->mask));
}

/* The thread has the mask that its maker had, unless its attributes or the default ones have
 * another. Where a sanitizer makes threads, it has its maker's mask in any case. */
void *__waymark_thread_run(void *slot)
{
	struct wm_slot *own = slot;
	void *(*function)(void *) = own->start;
	void *argument = own->argument;
	uint64_t mask;
	wm_state_lock(&mask);
	if (are_equal(mask, mask_of_making(own->mask)) && !own->is_masked)
		mask &= own->mask;
	int attached = __waymark_delta != 0; /* by a signal's handler that counted here */
	if (!attached)
		wm_slot_enter(own);
	wm_state_unlock(&mask);
	if (attached)
		wm_slot_end(own);
	return function(argument);
}
