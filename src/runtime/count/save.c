/* Counts that are not in the file yet: of code that ran before the runtime, and of threads that got
 * no chunk there. They are brought to the run's own chunk, which is written if it is not mapped.
 */
#define _GNU_SOURCE
#include "runtime/count/save.h"

#include "runtime/count/delta.h"
#include "runtime/file/name.h"
#include "runtime/file/pages.h"
#include "runtime/count/slot.h"
#include "runtime/system.h"
#include "runtime/count/table.h"
#include "runtime/count/zeros.h"

/* Most counters of a large program are zero. */
static size_t skip_zeros(const uint64_t *counter, size_t i, size_t count)
{
	while (i + WM_ZEROS_AT_ONCE <= count && wm_zeros_at(counter + i))
		i += WM_ZEROS_AT_ONCE;
	return i;
}

static void move(uint64_t *from, uint64_t *to, size_t count)
{
	for (size_t i = skip_zeros(from, 0, count); i < count; i = skip_zeros(from, i + 1, count)) {
		uint64_t counted = from[i];
		to[i] += counted;
		from[i] -= counted;
	}
}

static void move_static(void *start, const void *end)
{
	uint64_t *from = start;
	uint64_t *to = wm_slot_counters(wm_state.first) + (from - wm_state.object.counters);
	move(from, to, (size_t)((const uint64_t *)end - from));
}

void wm_save_early_counters(void)
{
	wm_pages_visit_written(
		wm_state.object.counters, wm_state.object.counter_bytes, move_static);
}

void wm_save_static_counters(void)
{
	if (wm_state.counts_in_place)
		move_static(wm_state.object.counters,
			wm_state.object.counters + wm_state_counter_count());
}

void wm_save_leave_static_to_parent(void)
{
	if (wm_state.counts_in_place)
		wm_zeros_make(wm_state.object.counters, wm_state_counter_count());
	wm_state.counts_in_place = 0;
}

int wm_save_memory(void)
{
	static char name[PATH_MAX];
	struct wm_slot *first = wm_state.first;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (slot != first && !slot->chunk.number)
			move(wm_slot_counters(slot), wm_slot_counters(first),
				wm_state_counter_count());
	int status = wm_table_save();
	if (first->chunk.number)
		return status;
	struct wm_chunk chunk = {.header = wm_slot_header(first)};
	if (wm_name_expand(&wm_state.object, wm_state.pattern, name))
		return -1;
	return status | wm_chunk_save(&wm_state.object, name, &chunk, &first->saved);
}

/* Chunks in use by other threads stay: these may go on counting while the process ends. */
static void release_slots(void)
{
	int self = wm_system_thread();
	for (struct wm_slot *slot = wm_state.slots, *next; slot; slot = next) {
		next = slot->next;
		if (slot->thread && slot->thread != self && !slot->ended)
			continue;
		wm_slot_header(slot)->state = WM_CHUNK_RELEASED;
		if (slot == wm_state.first)
			wm_state.first = NULL;
		wm_slot_drop(slot);
	}
	wm_state.reset = NULL;
	wm_table_release();
	if (wm_state.has_key)
		pthread_key_delete(wm_state.key);
	wm_state.has_key = 0;
}

/* Code of a library may be called, and count, after its destructors, by one that it depends on: it
 * then starts anew. */
static void leave_library(void)
{
	release_slots();
	wm_delta_set(0);
	wm_state.stopped = 1;
}

int wm_save_is_needed(void)
{
	if (wm_state.paused || !wm_state.object.is_program)
		return 1;
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (!slot->chunk.number)
			return 1;
	return wm_table_needs_saving();
}

void wm_save_at_end(void)
{
	wm_save_memory();
	if (!wm_state.object.is_program)
		leave_library();
}
