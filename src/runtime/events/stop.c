/* Builds with --events-stop: code looks at the sign of its thread's word after each increment, and
 * calls here unless it is negative. The word is kept below zero by its distance to the target, or
 * by a distance that nothing reaches; what it lacks stands in a second word, and the sum is both. A
 * word that nobody has looked at yet is zero, so the first increment of a thread leads here.
 *
 * The sum is not the number of events: at each place a potential is missing. So close to the target
 * the word is not negative, and every increment asks here. Only the thread that has armed a target
 * stops there. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/count/delta.h"
#include "runtime/events/events.h"
#include "runtime/file/process.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include "waymark.h"

extern void __waymark_ending(int ending);

#define NEVER (~(uint64_t)0)
#define FAR ((int64_t)1 << 62)
enum { STANDARD_ERROR = 2, TIMED_OUT = 124 };

extern uint64_t __waymark_events[] __attribute__((weak, visibility("hidden")));
extern const char __waymark_event_words[] __attribute__((weak, visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static struct target {
	uint64_t number;
	const struct wm_slot *slot;			  /* of the thread that stops */
	void (*callback)(unsigned kind, uint64_t events); /* NULL: the process stops */
} targets[WM_EVENT_WORDS] = {{NEVER, 0, 0}, {NEVER, 0, 0}, {NEVER, 0, 0}, {NEVER, 0, 0},
	{NEVER, 0, 0}, {NEVER, 0, 0}, {NEVER, 0, 0}, {NEVER, 0, 0}};

/* Where the calling thread counts: in place, paused or not. */
static void keep_below(unsigned kind, int64_t distance)
{
	uint64_t *word = (uint64_t *)((char *)&__waymark_events[kind] + wm_delta_get());
	uint64_t difference = 0 - (uint64_t)distance - *word;
	__asm__ volatile("addq %1,%0" : "+m"(*word) : "r"(difference));
	__asm__ volatile("subq %1,%0" : "+m"(word[WM_EVENT_WORDS]) : "r"(difference));
}

/* Close to the target, or behind it, as far from zero as an increment can lead. */
static void wait_for(unsigned kind, uint64_t number, uint64_t now)
{
	uint64_t bound = waymark_events_bound(kind);
	if (number > now && number - now > 2 * bound)
		keep_below(kind, (int64_t)(number - now - bound));
	else
		keep_below(kind, -2 * (int64_t)bound - 1);
}

static void arm(unsigned kind, uint64_t number, void (*callback)(unsigned, uint64_t))
{
	targets[kind] = (struct target){number, wm_events_slot(), callback};
	wait_for(kind, number, waymark_events(kind));
}

static void disarm(unsigned kind)
{
	targets[kind].number = NEVER;
	keep_below(kind, FAR);
}

static char *put_number(char *to, uint64_t number, unsigned base)
{
	char digits[24];
	int count = 0;
	do
		digits[count++] = "0123456789abcdef"[number % base];
	while (number /= base);
	while (count)
		*to++ = digits[--count];
	return to;
}

/* The word of a kind, up to the next comma. */
static char *put_kind(char *to, unsigned kind)
{
	const char *word = __waymark_event_words;
	for (; kind > 0; kind--)
		while (*word && *word++ != ',')
			;
	while (*word && *word != ',')
		*to++ = *word++;
	return to;
}

static void say(const char *line, const char *end)
{
	WM_CALL_3(write, STANDARD_ERROR, line, (size_t)(end - line));
}

/* The status is that of a time-out. */
static void stop(unsigned kind, uint64_t now, uint64_t target, const char *place)
{
	static char line[512];
	char *end = put_number(wm_text_put(line, "waymark: stopped at "), now, 10);
	end = put_kind(wm_text_put(end, " "), kind);
	end = put_number(
		wm_text_put(put_number(wm_text_put(end, ", "), now - target, 10), " behind "),
		target, 10);
	end = put_number(
		wm_text_put(end, ", in the program at 0x"), (uint64_t)(place - __ehdr_start), 16);
	say(line, wm_text_put(end, "\n"));
	if (wm_process_is_traced()) {
		WM_CALL_2(kill, WM_CALL_0(getpid), SIGTRAP);
		return;
	}
	__waymark_ending(1);
	WM_CALL_1(exit_group, TIMED_OUT);
}

__attribute__((noinline)) void __waymark_reached(unsigned kind, uint64_t potential)
{
	const struct target *target = &targets[kind];
	uint64_t now = waymark_events(kind) + potential, number = target->number;
	void (*callback)(unsigned, uint64_t) = target->callback;
	if (number == NEVER || target->slot != wm_events_slot()) {
		keep_below(kind, FAR);
		return;
	}
	if (now < number) {
		wait_for(kind, number, now - potential);
		return;
	}
	disarm(kind);
	if (callback)
		callback(kind, now);
	else
		stop(kind, now, number, __builtin_return_address(0));
}

int waymark_after(unsigned kind, uint64_t events, void (*callback)(unsigned kind, uint64_t events))
{
	if (kind >= WM_EVENT_WORDS || !__waymark_events || !__waymark_event_words || !callback)
		return -1;
	if (targets[kind].number != NEVER && !targets[kind].callback)
		return -1;
	arm(kind, waymark_events(kind) + events, callback);
	return 0;
}

/* Which kind the word is; `steps`, or the first, where there is none. -1: no such kind. */
static int find_kind(const char *word)
{
	char own[512];
	int first = *word ? -1 : 0;
	for (unsigned kind = 0; kind < WM_EVENT_WORDS; kind++) {
		*put_kind(own, kind) = '\0';
		if (own[0] && strcmp(own, *word ? word : "steps") == 0)
			return (int)kind;
	}
	return first;
}

static void refuse(const char *name, const char *value, const char *why)
{
	static char line[1024];
	if (strlen(value) > 200)
		return;
	char *end = wm_text_put(
		wm_text_put(wm_text_put(wm_text_put(line, "waymark: "), name), "="), value);
	say(line, wm_text_put(wm_text_put(wm_text_put(end, ": "), why), "\n"));
}

/* N or N:KIND. */
static void arm_by(const char *name)
{
	const char *value = secure_getenv(name), *at = value;
	uint64_t number = 0;
	if (!value || !value[0])
		return;
	for (; *at >= '0' && *at <= '9' && number < (NEVER >> 5); at++)
		number = 10 * number + (uint64_t)(*at - '0');
	if (at == value || (*at && *at != ':') || strlen(at) > 400) {
		refuse(name, value, "a number of events was expected, such as 1000:steps");
		return;
	}
	if (!__waymark_event_words) {
		refuse(name, value, "this program was not built with --events-stop");
		return;
	}
	int kind = find_kind(*at ? at + 1 : at);
	if (kind < 0)
		refuse(name, value, "this program does not sum that kind of events");
	else
		arm((unsigned)kind, number, NULL);
}

void wm_events_start(void)
{
	arm_by("WAYMARK_STOP_AT");
	arm_by("WAYMARK_LIMIT");
}
