/* Names of events of the kernel's, as perf has them, and what perf_event_open wants to be told. */
#ifndef WM_FORMAT_PERF_EVENTS_H
#define WM_FORMAT_PERF_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

/* As in linux/perf_event.h, which other systems lack. */
enum wm_perf_type {
	WM_PERF_HARDWARE = 0,
	WM_PERF_SOFTWARE = 1,
	WM_PERF_CACHE = 3,
	WM_PERF_RAW = 4,
	WM_PERF_BREAKPOINT = 5
};

/* Of a breakpoint: what it waits for. */
enum { WM_PERF_READS = 1, WM_PERF_WRITES = 2 };

struct wm_perf_event {
	enum wm_perf_type type;
	uint64_t config;
	bool user_only;	      /* :u */
	const char *variable; /* of a breakpoint, or NULL */
	uint32_t accesses;    /* likewise: WM_PERF_READS, WM_PERF_WRITES, or-ed */
};

/* NAME, NAME:u, rHEX, or breakpoint:VARIABLE[:w|:rw]. WM_ERROR_INPUT for unknown names. */
int wm_perf_event_parse(struct wm_arena *arena, const char *name, struct wm_perf_event *event,
	struct wm_error *error);

/* The names that are known, by number; NULL behind the last. */
const char *wm_perf_event_name(uint32_t number);

#endif
