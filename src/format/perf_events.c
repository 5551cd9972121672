/* A table. Events of caches are a cache, an operation and its outcome, a byte each. */
#include "format/perf_events.h"

#include <stdlib.h>
#include <string.h>

#define CACHE(cache, operation, missed) ((cache) | (operation) << 8 | (missed) << 16)

static const struct {
	const char *name;
	enum wm_perf_type type;
	uint64_t config;
} names[] = {
	{"cpu-clock", WM_PERF_SOFTWARE, 0},
	{"task-clock", WM_PERF_SOFTWARE, 1},
	{"page-faults", WM_PERF_SOFTWARE, 2},
	{"faults", WM_PERF_SOFTWARE, 2},
	{"context-switches", WM_PERF_SOFTWARE, 3},
	{"cpu-migrations", WM_PERF_SOFTWARE, 4},
	{"minor-faults", WM_PERF_SOFTWARE, 5},
	{"major-faults", WM_PERF_SOFTWARE, 6},
	{"alignment-faults", WM_PERF_SOFTWARE, 7},
	{"emulation-faults", WM_PERF_SOFTWARE, 8},
	{"cycles", WM_PERF_HARDWARE, 0},
	{"cpu-cycles", WM_PERF_HARDWARE, 0},
	{"instructions", WM_PERF_HARDWARE, 1},
	{"cache-references", WM_PERF_HARDWARE, 2},
	{"cache-misses", WM_PERF_HARDWARE, 3},
	{"branches", WM_PERF_HARDWARE, 4},
	{"branch-misses", WM_PERF_HARDWARE, 5},
	{"bus-cycles", WM_PERF_HARDWARE, 6},
	{"stalled-cycles-frontend", WM_PERF_HARDWARE, 7},
	{"stalled-cycles-backend", WM_PERF_HARDWARE, 8},
	{"ref-cycles", WM_PERF_HARDWARE, 9},
	{"L1-dcache-loads", WM_PERF_CACHE, CACHE(0, 0, 0)},
	{"L1-dcache-load-misses", WM_PERF_CACHE, CACHE(0, 0, 1)},
	{"L1-dcache-stores", WM_PERF_CACHE, CACHE(0, 1, 0)},
	{"L1-dcache-store-misses", WM_PERF_CACHE, CACHE(0, 1, 1)},
	{"L1-icache-load-misses", WM_PERF_CACHE, CACHE(1, 0, 1)},
	{"LLC-loads", WM_PERF_CACHE, CACHE(2, 0, 0)},
	{"LLC-load-misses", WM_PERF_CACHE, CACHE(2, 0, 1)},
	{"LLC-stores", WM_PERF_CACHE, CACHE(2, 1, 0)},
	{"LLC-store-misses", WM_PERF_CACHE, CACHE(2, 1, 1)},
	{"dTLB-loads", WM_PERF_CACHE, CACHE(3, 0, 0)},
	{"dTLB-load-misses", WM_PERF_CACHE, CACHE(3, 0, 1)},
	{"dTLB-stores", WM_PERF_CACHE, CACHE(3, 1, 0)},
	{"dTLB-store-misses", WM_PERF_CACHE, CACHE(3, 1, 1)},
	{"iTLB-load-misses", WM_PERF_CACHE, CACHE(4, 0, 1)},
	{"branch-loads", WM_PERF_CACHE, CACHE(5, 0, 0)},
	{"branch-load-misses", WM_PERF_CACHE, CACHE(5, 0, 1)},
};

enum { NAME_COUNT = sizeof names / sizeof *names };

const char *wm_perf_event_name(uint32_t number)
{
	return number < NAME_COUNT ? names[number].name : NULL;
}

/* Cuts off what stands behind the last colon, if it is the suffix. */
static bool take_suffix(char *name, const char *suffix)
{
	char *colon = strrchr(name, ':');
	if (!colon || strcmp(colon + 1, suffix) != 0)
		return false;
	*colon = 0;
	return true;
}

static int parse_breakpoint(char *name, struct wm_perf_event *event, struct wm_error *error)
{
	bool reads = take_suffix(name, "rw");
	if (!reads)
		take_suffix(name, "w");
	event->type = WM_PERF_BREAKPOINT;
	event->accesses = WM_PERF_WRITES | (reads ? WM_PERF_READS : 0);
	event->variable = strchr(name, ':') + 1;
	if (!event->variable[0] || strchr(event->variable, ':'))
		return wm_error_set(error, WM_ERROR_INPUT,
			"event '%s' names no variable: use breakpoint:VARIABLE, and :rw behind it "
			"to count reads, too",
			name);
	return 0;
}

static bool parse_raw(const char *name, struct wm_perf_event *event)
{
	char *end;
	if (name[0] != 'r' || !name[1] || strspn(name + 1, "0123456789abcdef") != strlen(name + 1))
		return false;
	event->type = WM_PERF_RAW;
	event->config = strtoull(name + 1, &end, 16);
	return !*end;
}

int wm_perf_event_parse(struct wm_arena *arena, const char *text, struct wm_perf_event *event,
	struct wm_error *error)
{
	char *name = wm_arena_copy_text(arena, text);
	*event = (struct wm_perf_event){0};
	if (!strncmp(name, "breakpoint:", strlen("breakpoint:")))
		return parse_breakpoint(name, event, error);
	event->user_only = take_suffix(name, "u");
	for (uint32_t i = 0; i < NAME_COUNT; i++) {
		if (strcmp(names[i].name, name) != 0)
			continue;
		event->type = names[i].type;
		event->config = names[i].config;
		return 0;
	}
	if (parse_raw(name, event))
		return 0;
	return wm_error_set(error, WM_ERROR_INPUT,
		"event '%s' is unknown: use page-faults, task-clock, breakpoint:VARIABLE, cycles, "
		"cache-misses, or another of `perf list`",
		text);
}
