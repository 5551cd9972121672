/* An event of the kernel's as the plug-in tells the runtime: one for each meter of the build. */
#ifndef WM_FORMAT_METER_EVENT_H
#define WM_FORMAT_METER_EVENT_H

#include <stdint.h>

#include "format/meters_limit.h"

enum wm_meter_event_flag { WM_METER_IS_EVENT = 1, WM_METER_USER_ONLY = 2 };

struct wm_meter_event {
	uint32_t type; /* of perf_event_attr */
	uint32_t flags;
	uint64_t config;
	uint64_t accesses; /* of a breakpoint; its variable and the size of that, both NULL if the
			      program has none */
	const void *variable;
	const uint64_t *bytes;
};

#endif
