/* The runtime that is linked into every instrumented object.
 *
 * Probes count at static counters + delta; the delta is the base of the gs register in a program,
 * and __waymark_delta in a library. It is zero until the constructor below has claimed a block of
 * the .wmk file; from then on counting goes straight into a shared mapping of it, and nothing has
 * to happen at exit. Whatever fails, the delta stays zero: the program then counts into memory that
 * nobody reads, and runs on. One copy per object, all symbols hidden.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/file.h"
#include "runtime/name.h"
#include "runtime/object.h"

/* What pthread_atfork calls; that one is not part of the shared C library. */
extern int __register_atfork(
	void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object_handle);
extern void *__dso_handle __attribute__((visibility("hidden")));

/* In .tdata although it is zero: the start value for new threads is changed in its image. */
__attribute__((visibility("hidden"), section(".tdata"),
	tls_model("initial-exec"))) __thread int64_t __waymark_delta = 0;

/* What every description refers to, so that the linker takes this file from its archive. */
__attribute__((visibility("hidden"))) const char __waymark_runtime = 0;

static struct wm_object object;
static char pattern[PATH_MAX];
static struct wm_block_header *block; /* NULL: not counting into a file */

static uint64_t *mapped_counters(void)
{
	return (uint64_t *)((char *)block + WM_BLOCK_HEADER_BYTES);
}

/* What was counted before the block was there, or by threads that never got its delta. */
static void move_static_counters(void)
{
	uint64_t *mapped = mapped_counters();
	for (size_t i = 0; i < object.counter_bytes / sizeof(uint64_t); i++) {
		uint64_t counted = object.counters[i];
		if (!counted)
			continue;
		mapped[i] += counted;
		object.counters[i] -= counted;
	}
}

static struct wm_block_header *claim_block(void *address)
{
	static char name[PATH_MAX]; /* static: a forking thread's stack may be small */
	if (wm_name_expand(&object, pattern, name))
		return NULL;
	return wm_file_claim(&object, name, address);
}

/* From here on this thread, and those that it makes, count into the block. Code of a program
 * reaches the difference through the gs register, code of a library through its thread-local
 * variable. */
static void set_delta(int64_t delta)
{
	__waymark_delta = delta;
	wm_object_set_thread_start(&object, delta);
#ifdef __x86_64__
	if (object.is_program)
		syscall(SYS_arch_prctl, ARCH_SET_GS, delta);
#endif
}

/* The child gets its own block at the parent's address: code that holds the base in a register goes
 * on unharmed. Without a file it gets private memory there, so that it cannot disturb the parent.
 */
static void start_in_child(void)
{
	int saved = errno;
	if (claim_block(block))
		block->runs = 0; /* it goes on with its parent's */
	else
		mmap(block, wm_file_block_stride(object.counter_bytes), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	errno = saved;
}

__attribute__((constructor(101))) static void start(void)
{
	int saved = errno;
	if (!wm_object_find(&object, &__waymark_delta) && !wm_name_pattern(&object, pattern))
		block = claim_block(NULL);
	if (block) {
		move_static_counters();
		set_delta((char *)mapped_counters() - (char *)object.counters);
		__register_atfork(NULL, NULL, start_in_child, &__dso_handle);
	}
	errno = saved;
}

__attribute__((destructor(101))) static void stop(void)
{
	if (block)
		move_static_counters();
}
