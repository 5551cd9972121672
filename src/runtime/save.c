/* Counts that are not in the file yet: of code that ran before the runtime, and of threads that got
 * no block there. They are brought to the run's own block, which is written if it is not mapped.
 */
#define _GNU_SOURCE
#include "runtime/save.h"

#include "runtime/name.h"
#include "runtime/slot.h"
#include "runtime/system.h"
#include "runtime/table.h"

/* Most counters of a large program are zero at its start: eight at a time. */
static size_t skip_zeros(const uint64_t *counter, size_t i, size_t count)
{
	while (i + 8 <= count &&
		!(counter[i] | counter[i + 1] | counter[i + 2] | counter[i + 3] | counter[i + 4] |
			counter[i + 5] | counter[i + 6] | counter[i + 7]))
		i += 8;
	return i;
}

static void move(uint64_t *from, uint64_t *to)
{
	size_t count = wm_state_counter_count();
	for (size_t i = skip_zeros(from, 0, count); i < count; i = skip_zeros(from, i + 1, count)) {
		uint64_t counted = from[i];
		to[i] += counted;
		from[i] -= counted;
	}
}

void wm_save_static_counters(void)
{
	move(wm_state.object.counters, wm_slot_counters(wm_state.first));
}

int wm_save_memory(void)
{
	static char name[PATH_MAX];
	struct wm_slot *first = wm_state.first;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (slot != first && !slot->block.number)
			move(wm_slot_counters(slot), wm_slot_counters(first));
	int status = wm_table_save();
	if (first->block.number)
		return status;
	struct wm_block block = {.header = wm_slot_header(first)};
	if (wm_name_expand(&wm_state.object, wm_state.pattern, name))
		return -1;
	return status | wm_block_save(&wm_state.object, name, &block, &first->saved);
}

/* Blocks in use by other threads stay: these may go on counting while the process ends. */
static void release_slots(void)
{
	int self = wm_system_thread();
	for (struct wm_slot *slot = wm_state.slots, *next; slot; slot = next) {
		next = slot->next;
		if (slot->thread && slot->thread != self && !slot->ended)
			continue;
		wm_slot_header(slot)->state = WM_BLOCK_RELEASED;
		wm_slot_drop(slot);
	}
	wm_table_release();
	if (wm_state.has_key)
		pthread_key_delete(wm_state.key);
}

int wm_save_is_needed(void)
{
	if (wm_state.paused || !wm_state.object.is_program)
		return 1;
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (!slot->block.number)
			return 1;
	return wm_table_needs_saving();
}

void wm_save_at_end(void)
{
	wm_save_memory();
	if (!wm_state.object.is_program)
		release_slots();
}
