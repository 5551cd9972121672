/* Meters hold no counts, but take part in the life of threads. */
#include "runtime/store.h"

#include <stddef.h>

#include "runtime/meters/events.h"
#include "runtime/meters/sim.h"

static void start(void)
{
}

static int nothing_to_do(void)
{
	return 0;
}

static uint64_t no_units(void)
{
	return 0;
}

static int write_nothing(void *to, uint64_t units, uint64_t library)
{
	(void)to, (void)units, (void)library;
	return 0;
}

/* Caches are the program's: the thread that unloads a library keeps them. */
static void leave(void)
{
	wm_meter_events_leave();
	wm_sim_leave();
}

static const struct wm_store store = {.start = start,
	.needs_saving = nothing_to_do,
	.save = nothing_to_do,
	.reset = nothing_to_do,
	.pause = nothing_to_do,
	.resume = nothing_to_do,
	.move = nothing_to_do,
	.start_in_child = wm_meter_events_start_in_child,
	.release = wm_meter_events_leave,
	.image_units = no_units,
	.write_image = write_nothing,
	.before_fork = wm_meter_events_before_fork,
	.leave = leave};

WM_STORE_ENTRY const struct wm_store *wm_meters_store_entry = &store;
