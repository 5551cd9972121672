/* Sentinels: code that no tested path comes to, or only with another history, calls here.
 *
 *	__waymark_departure(unsigned char *sentinel);
 *
 * The sentinel is a byte of the program's data. It is cleared, so that it tells once in a process,
 * and a departure that becomes frequent costs a comparison. The table that is named by
 * its counter counts the time, in seconds since 1970, as a key: profiles that are added up keep the
 * first.
 *
 * What else happens is for whoever runs the program to say: WAYMARK_ON_UNTESTED is count (nothing),
 * log or log:FILE (a line), stop (a line, then SIGTRAP under a debugger, SIGSTOP otherwise) or
 *abort (a line, then SIGABRT). Nothing is allocated. The function keeps all registers but r11. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/sentinel.h"
#include "runtime/count/tables.h"
#include "runtime/file/failure.h"
#include "runtime/file/process.h"
#include "runtime/state.h"
#include "runtime/system.h"
#include "runtime/text.h"

enum manner { NOT_ASKED, COUNT, LOG, STOP, ABORT };

enum { ABORTED = 128 + SIGABRT, LINE = 512 };

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

extern const struct wm_sentinel_record __start_waymark_sentinels[]
	__attribute__((visibility("hidden")));
extern const struct wm_sentinel_record __stop_waymark_sentinels[]
	__attribute__((visibility("hidden")));

static enum manner manner;
static const char *log_file; /* NULL: standard error */

static void refuse(const char *value)
{
	char line[LINE], *end = wm_text_put(line, "waymark: WAYMARK_ON_UNTESTED=");
	if (strlen(value) < 100)
		end = wm_text_put(end, value);
	end = wm_text_put(end, " is unknown: use count, log, log:FILE, stop or abort\n");
	wm_failure_say(line, (size_t)(end - line));
}

static enum manner ask(void)
{
	static const char file[] = "log:";
	const char *value = secure_getenv("WAYMARK_ON_UNTESTED");
	if (!value || !value[0] || strcmp(value, "count") == 0)
		return COUNT;
	if (strcmp(value, "log") == 0)
		return LOG;
	if (strcmp(value, "stop") == 0)
		return STOP;
	if (strcmp(value, "abort") == 0)
		return ABORT;
	if (strlen(value) >= sizeof file && memcmp(value, file, sizeof file - 1) == 0) {
		log_file = value + sizeof file - 1;
		return LOG;
	}
	refuse(value);
	return COUNT;
}

static void say(const char *place, uint64_t seconds)
{
	char line[LINE], *end = wm_text_put(line, "waymark: untested path in process ");
	end = wm_text_decimal(end, (uint32_t)wm_system_process());
	end = wm_text_put(end, ", in the program at 0x");
	end = wm_text_hex(end, (uint64_t)(place - __ehdr_start));
	end = wm_text_put(end, ", second ");
	end = wm_text_decimal(end, (uint32_t)seconds);
	*end++ = '\n';
	if (!log_file) {
		wm_failure_say(line, (size_t)(end - line));
		return;
	}
	int file = wm_system_open(log_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (file < 0)
		return;
	WM_CALL_3(write, file, line, (size_t)(end - line));
	wm_system_close(file);
}

static void act(const char *place, uint64_t seconds)
{
	if (manner == NOT_ASKED)
		manner = ask();
	if (manner == COUNT)
		return;
	say(place, seconds);
	if (manner == STOP)
		WM_CALL_2(kill, wm_system_process(), wm_process_is_traced() ? SIGTRAP : SIGSTOP);
	if (manner != ABORT)
		return;
	WM_CALL_2(kill, wm_system_process(), SIGABRT);
	WM_CALL_1(exit_group, ABORTED);
}

/* The counter of the sentinel; NULL if it is none of this object. */
static const uint64_t *counter_of(const unsigned char *sentinel)
{
	const struct wm_sentinel_record *record = __start_waymark_sentinels;
	for (; record < __stop_waymark_sentinels; record++) {
		const char *at = (const char *)record;
		uint64_t number = (uint64_t)((const char *)sentinel - (at + record->sentinels));
		if (record->sentinels && number < record->count)
			return (const uint64_t *)(at + record->counters) + number;
	}
	return NULL;
}

/* Another thread may have come first; while counting pauses nothing is told. */
__attribute__((used)) static void wm_departure_tell(unsigned char *sentinel, const char *place)
{
	const uint64_t *counter = counter_of(sentinel);
	struct timespec now = {0};
	if (wm_state.paused || !__atomic_exchange_n(sentinel, 0, __ATOMIC_RELAXED))
		return;
	WM_CALL_2(clock_gettime, CLOCK_REALTIME, &now);
	if (counter)
		wm_table_count(counter, (uint64_t)now.tv_sec);
	act(place, (uint64_t)now.tv_sec);
}

__asm__(".pushsection .text.__waymark_departure,\"ax\",@progbits\n"
	".p2align 4\n"
	".globl __waymark_departure\n"
	".hidden __waymark_departure\n"
	".type __waymark_departure,@function\n"
	"__waymark_departure:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rbp,0\n"
	"	mov %rsp,%rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	push %rax\n	push %rcx\n	push %rdx\n"
	"	push %rsi\n	push %rdi\n	push %r8\n"
	"	push %r9\n	push %r10\n"
	"	mov 8(%rbp),%rsi\n"
	"	and $-16,%rsp\n"
	"	call wm_departure_tell\n"
	"	lea -64(%rbp),%rsp\n"
	"	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rdx\n"
	"	pop %rcx\n	pop %rax\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa %rsp,8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size __waymark_departure,.-__waymark_departure\n"
	".popsection\n");
