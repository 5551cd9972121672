/* Meters: what is read where paths end, so that each path has its cost.
 *
 * A build has up to four: the processor's time-stamp counter, 64-bit variables of the program,
 * events of the kernel's.
 */
#ifndef WM_FORMAT_METERS_H
#define WM_FORMAT_METERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/meters_limit.h"
#include "format/perf_events.h"

enum wm_meter_kind {
	WM_METER_TSC,  /* tsc */
	WM_METER_USER, /* user:NAME */
	WM_METER_PERF, /* perf:EVENT */
	WM_METER_SIM   /* sim:l1d, sim:l2 */
};

struct wm_meter {
	enum wm_meter_kind kind;
	const char *word;	    /* as it was written */
	const char *name;	    /* what stands behind the colon, or "" */
	struct wm_perf_event event; /* of the kernel's */
	uint32_t level;		    /* of a simulated cache */
};

struct wm_meters {
	uint32_t count;
	struct wm_meter meters[WM_MAX_METERS];
};

/* What can be written, in the order in which messages list it; a colon at the end wants a name.
 * NULL ends the list. */
extern const char *const wm_meter_words[];

bool wm_meters_have(const struct wm_meters *meters, enum wm_meter_kind kind);

/* Reads a list with commas. WM_ERROR_INPUT for unknown words, for the same one twice, and for more
 * than four. */
int wm_meters_parse(
	struct wm_arena *arena, const char *text, struct wm_meters *meters, struct wm_error *error);

#endif
