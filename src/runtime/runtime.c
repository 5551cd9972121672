/* The runtime that is linked into every instrumented object: its start, its threads, its end.
 *
 * Probes count at static counters + delta; the delta is the base of the gs register in a program,
 * and __waymark_delta in a library. It is zero until the thread has a slot: a chunk of the .wmk
 * file, mapped shared, so that nothing has to happen at the end of a thread or process. A program's
 * threads get their slots when they are made (create.c), a library's when they first count.
 * Whatever fails, the program runs on, and counts into memory. One copy per object, all symbols
 * hidden.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "runtime/count/delta.h"
#include "runtime/events/events.h"
#include "runtime/file/failure.h"
#include "runtime/file/process.h"
#include "runtime/count/slots.h"
#include "runtime/thread/signals.h"
#include "runtime/count/slot.h"
#include "runtime/run.h"
#include "runtime/store.h"
#include "runtime/system.h"

/* What pthread_atfork calls; that one is not part of the shared C library. */
extern int __register_atfork(
	void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object_handle);
extern int __cxa_atexit(void (*function)(void *), void *argument, void *object_handle);
extern void __cxa_finalize(void *object_handle);

/* Each object has one of its own from the C library's start files; this is for those that are
 * linked without. */
extern void *__dso_handle;
static const char own_handle = 0;
__attribute__((weak, visibility("hidden"))) void *__dso_handle = (void *)&own_handle;

/* What every description refers to, so that the linker takes this file from its archive. */
const char __waymark_runtime = 0;

struct wm_state wm_state;

static __attribute__((tls_model("initial-exec"))) __thread int is_held;
static __attribute__((tls_model("initial-exec"))) __thread uint64_t mask_before_fork;

void wm_state_lock(uint64_t *before)
{
	const uint64_t all = ~(uint64_t)0;
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, &all, before, sizeof(all));
	while (__atomic_exchange_n(&wm_state.lock, 1, __ATOMIC_ACQUIRE))
		WM_CALL_0(sched_yield);
	is_held = 1;
}

void wm_state_unlock(const uint64_t *before)
{
	is_held = 0;
	__atomic_store_n(&wm_state.lock, 0, __ATOMIC_RELEASE);
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof(uint64_t));
}

int wm_state_is_held(void)
{
	return is_held;
}

static void set_waiting(int how, uint64_t signals, uint64_t *before)
{
	WM_CALL_4(rt_sigprocmask, how, &signals, before, sizeof(signals));
}

/* Calls come back in the child, too, and a reader must know. */
static void note_fork(void)
{
	uint64_t before;
	wm_state_lock(&before);
	struct wm_slot *own = wm_slot_of_caller();
	if (wm_state.first)
		wm_slot_header(wm_state.first)->status |= WM_STATUS_FORKED;
	if (own)
		wm_events_before_fork(own);
	wm_state_unlock(&before);
}

static void before_fork(void)
{
	note_fork();
	set_waiting(SIG_BLOCK, wm_signals_that_wait(), &mask_before_fork);
	wm_stores_before_fork();
}

/* The program's own handlers may have changed the mask since then. */
static void after_fork(void)
{
	set_waiting(SIG_UNBLOCK, wm_signals_that_wait() & ~mask_before_fork, NULL);
}

static void after_fork_in_parent(void)
{
	wm_stores_after_fork();
	after_fork();
}

static void start_in_child(void)
{
	wm_state.lock = 0;
	wm_run_start_in_child();
	wm_stores_start_in_child();
	after_fork();
}

/* An object without counters has nothing to lose. */
static int has_counters(void)
{
	return wm_state.object.counters && wm_state.object.counter_bytes;
}

static void end_thread(void *slot)
{
	wm_stores_leave();
	wm_slot_end(slot);
}

/* Under the lock. The first slot belongs to the run; it goes to the thread that loads the object.
 */
static void start_once(void)
{
	if (wm_state.tried)
		return;
	wm_state.tried = 1;
	if (wm_run_find()) {
		if (has_counters())
			wm_failure_at_start();
		return;
	}
	struct wm_slot *slot = wm_slot_make();
	if (!slot || !slot->chunk.number)
		wm_failure_at_start();
	if (!slot)
		return;
	wm_slot_choose();
	wm_slot_header(slot)->runs = 1;
	wm_state.first = slot;
	wm_state.has_key = !pthread_key_create(&wm_state.key, end_thread);
	__register_atfork(before_fork, after_fork_in_parent, start_in_child, &__dso_handle);
	wm_state.started = 1;
	wm_slot_enter(slot);
	wm_stores_start();
	wm_events_start();
}

int wm_state_can_start(void)
{
	return __environ != NULL;
}

void wm_state_start(void)
{
	uint64_t before;
	wm_state_lock(&before);
	start_once();
	wm_state_unlock(&before);
	wm_run_join();
}

__attribute__((constructor(101))) static void start(void)
{
	wm_state_start();
}

/* What the runtime calls may be the program's own. What a resolver calls runs while the object is
 * being relocated, when nothing of the C library can be called yet. A single thread can do without
 * a slot until the start. */
static int must_wait(void)
{
	return is_held ||
	       (!wm_state.tried && (!wm_state_can_start() || wm_process_is_one_thread()));
}

static void attach(void)
{
	struct wm_slot *slot = wm_slot_take();
	if (!slot) {
		wm_state.counts_in_place = 1;
		return;
	}
	if (!wm_state.first) /* a child whose parent's thread had not counted here; a late call */
		wm_state.first = slot;
	wm_slot_enter(slot);
	wm_slot_header(slot)->ended = (uint8_t)wm_state.stopped;
}

/* A thread of a library, or of a program's position-independent code, counts for the first time. */
__attribute__((used)) int64_t wm_runtime_attach(void)
{
	uint64_t before;
	if (must_wait()) {
		wm_state.counts_in_place = 1;
		return 0;
	}
	wm_state_lock(&before);
	start_once();
	if (wm_state.started && !__waymark_delta)
		attach();
	wm_state_unlock(&before);
	wm_run_join();
	return __waymark_delta;
}

/* What probes call: keeps all registers but the result and r11, so that the code around them need
 * not. */
__asm__(".pushsection .text.__waymark_attach,\"ax\",@progbits\n"
	".globl __waymark_attach\n"
	".hidden __waymark_attach\n"
	".type __waymark_attach,@function\n"
	"__waymark_attach:\n"
	"	push %rbp\n"
	"	mov %rsp,%rbp\n"
	"	push %rcx\n	push %rdx\n	push %rsi\n	push %rdi\n"
	"	push %r8\n	push %r9\n	push %r10\n"
	"	and $-16,%rsp\n"
	"	call wm_runtime_attach\n"
	"	lea -56(%rbp),%rsp\n"
	"	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rdx\n	pop %rcx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size __waymark_attach,.-__waymark_attach\n"
	".popsection\n");

/* A library that this one depends on may call its code after its destructors have run. Then
 * counting starts again. */
static void leave_library(void)
{
	wm_stores_release();
	wm_delta_set(0);
	wm_state.stopped = 1;
}

static int is_all_in_file(void)
{
	return !wm_state.paused && wm_state.object.is_program && !wm_stores_need_saving();
}

/* Makes no system call where all counts are in the file: see wm_slot_set_ended. */
static void save(void)
{
	uint64_t before;
	if (is_all_in_file()) {
		wm_slots_take_static();
		return;
	}
	wm_state_lock(&before);
	wm_slots_take_static();
	if (wm_stores_save())
		wm_run_tell_failure(wm_slots_are_in_file());
	if (!wm_state.object.is_program)
		leave_library();
	wm_state_unlock(&before);
}

/* What never started says why. */
static void end_without_counts(void)
{
	uint64_t before;
	wm_state_lock(&before);
	wm_run_tell_failure(0);
	wm_state_unlock(&before);
}

/* Called before `_exit` and `exec`: a thread that ends there ends as intended. Called with 0 behind
 * an `exec` that failed, and behind vfork, whose child has its parent's memory and ends first. */
void __waymark_ending(int ending)
{
	struct wm_slot *slot = wm_state.started ? wm_slot_of_caller() : NULL;
	if (ending && wm_state.tried && !wm_state.started)
		end_without_counts();
	if (!slot)
		return;
	wm_slot_set_ended(slot, ending);
	if (ending && wm_state.object.is_program)
		save();
}

__attribute__((destructor(101))) static void stop(void)
{
	struct wm_slot *slot = wm_state.started ? wm_slot_of_caller() : NULL;
	if (!wm_state.object.is_program)
		wm_run_leave();
	if (slot)
		wm_slot_set_ended(slot, 1);
	if (wm_state.first)
		save();
	else if (wm_state.tried && !wm_state.started)
		end_without_counts();
	if (__dso_handle == (void *)&own_handle) /* the start files would do this */
		__cxa_finalize(&__dso_handle);
}

static void stop_at_exit(void *nothing)
{
	(void)nothing;
	stop();
}

/* Called by entry.c. The functions of a static C library cannot be called yet. */
void __waymark_enter(void)
{
	if (!wm_state_can_start())
		return;
	wm_state_start();
	__cxa_atexit(stop_at_exit, NULL, NULL);
}
