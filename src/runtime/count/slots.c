/* The store of counters (runtime/store.h): what is done to all slots at once.
 *
 * Code that ran before the runtime, and threads that got no slot, count into the static counters.
 * What they counted is moved to the first slot, and so is what was counted into slots in memory;
 * that slot's chunk is then written, if it is not mapped.
 */
#define _GNU_SOURCE
#include "runtime/count/slots.h"

#include "runtime/count/delta.h"
#include "runtime/count/slot.h"
#include "runtime/count/zeros.h"
#include "runtime/events/events.h"
#include "runtime/file/library.h"
#include "runtime/file/name.h"
#include "runtime/file/pages.h"
#include "runtime/file/process.h"
#include "runtime/store.h"
#include "runtime/system.h"

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

void wm_slots_take_static(void)
{
	if (wm_state.counts_in_place)
		move_static(wm_state.object.counters,
			wm_state.object.counters + wm_state_counter_count());
}

/* Code that counts through the gs register has done so since the program's first instruction.
 * Threads older than the start go on with the static counters. */
static void start(void)
{
	if (wm_delta_is_in_segment() && !wm_process_is_one_thread())
		wm_state.counts_in_place = 1;
	if (wm_delta_is_in_segment() || wm_state.counts_in_place)
		wm_pages_visit_written(
			wm_state.object.counters, wm_state.object.counter_bytes, move_static);
}

static int needs_saving(void)
{
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (!slot->chunk.number)
			return 1;
	return 0;
}

int wm_slots_are_in_file(void)
{
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (slot->chunk.number || slot->saved)
			return 1;
	return 0;
}

static int save(void)
{
	static char name[PATH_MAX];
	struct wm_slot *first = wm_state.first;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (slot != first && !slot->chunk.number) {
			wm_events_move(slot, first);
			move(wm_slot_counters(slot), wm_slot_counters(first),
				wm_state_counter_count());
		}
	if (first->chunk.number)
		return 0;
	struct wm_chunk chunk = {.header = wm_slot_header(first)};
	if (wm_name_expand(wm_state.object.host, wm_state.pattern, name))
		return -1;
	return wm_chunk_save(&wm_state.object, name, &chunk, &first->saved);
}

static uint64_t sum_of(size_t index)
{
	uint64_t sum = 0;
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		sum += wm_slot_counters(slot)[index];
	return sum;
}

/* Setting the counters to zero could lose an increment that is under way. So what they hold is
 * subtracted in a chunk beside them. */
static int reset(void)
{
	if (!wm_state.reset) {
		wm_state.reset = wm_slot_make();
		if (!wm_state.reset)
			return -1;
		wm_slot_header(wm_state.reset)->ended = 1;
	}
	uint64_t *taken = wm_slot_counters(wm_state.reset);
	for (size_t i = 0; i < wm_state_counter_count(); i++)
		taken[i] -= sum_of(i);
	return 0;
}

static int pause_all(void)
{
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (!slot->kept && wm_slot_pause(slot))
			return -1;
	return 0;
}

static int resume_all(void)
{
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (wm_slot_resume(slot))
			return -1;
	return 0;
}

/* The old chunk is let go of only when nothing counts into it any more: through a second mapping of
 * it. */
static int move_slot(struct wm_slot *slot)
{
	const size_t bytes = wm_object_chunk_bytes(&wm_state.object);
	struct wm_chunk_header before = *wm_slot_header(slot);
	struct wm_chunk_header *old =
		slot->chunk.number ? wm_system_remap(wm_slot_header(slot), 0, bytes, NULL) : NULL;
	if (slot->chunk.number && !old)
		return -1;
	if (!old)
		wm_events_carry(slot, wm_slot_counters(slot));
	struct wm_events_words words = wm_events_read(slot);
	int status = wm_slot_renew(slot);
	if (!status)
		wm_events_go_on(slot, &words);
	if (old && !status)
		wm_events_carry(slot, wm_chunk_counters(old));
	if (!status) {
		wm_slot_header(slot)->runs = before.runs;
		wm_slot_header(slot)->thread = before.thread;
		wm_slot_header(slot)->ended = before.ended || slot->ended;
	}
	if (old && !status) {
		old->ended = 1;
		old->state = WM_CHUNK_RELEASED;
	}
	if (old)
		wm_system_unmap(old, bytes);
	return status;
}

static int move_all(void)
{
	int status = 0;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		status |= move_slot(slot);
	return status;
}

/* The parent saves what is in the static counters. */
static void leave_static_to_parent(void)
{
	if (wm_state.counts_in_place)
		wm_zeros_make(wm_state.object.counters, wm_state_counter_count());
	wm_state.counts_in_place = 0;
}

/* In a child: its parent's thread had no slot. */
static void enter_first(void)
{
	wm_state.first = wm_slot_make();
	if (wm_state.first)
		wm_slot_enter(wm_state.first);
}

static void start_in_child(void)
{
	struct wm_slot *own = wm_slot_of_caller();
	for (struct wm_slot *slot = wm_state.slots, *next; slot; slot = next) {
		next = slot->next;
		if (slot != own)
			wm_slot_drop(slot);
	}
	wm_state.first = own;
	wm_state.reset = NULL;
	leave_static_to_parent();
	if (own) {
		wm_slot_renew(own);
		wm_events_in_child(own);
		wm_slot_enter(own);
	} else if (wm_delta_is_in_segment()) {
		enter_first();
	}
}

/* Slots of other threads stay: these may go on counting while the process ends. */
static void release(void)
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
	if (wm_state.has_key)
		pthread_key_delete(wm_state.key);
	wm_state.has_key = 0;
}

/* Totals of two generations, of which the second one stays as it is; those of a library stand in
 * its chunk. */
static uint64_t image_units(void)
{
	return wm_object_is_guest(&wm_state.object) ? wm_library_span(&wm_state.object)
						    : WM_FILE_TOTALS_UNITS;
}

static void write_totals(struct wm_chunk_header *totals)
{
	uint64_t *counters = wm_chunk_counters(totals);
	size_t count = wm_state_counter_count();
	totals->kind = WM_CHUNK_TOTALS;
	totals->span = 1;
	totals->runs = wm_slot_header(wm_state.first)->runs;
	totals->status = wm_slot_header(wm_state.first)->status;
	for (size_t i = 0; i < count; i++)
		counters[i] = sum_of(i) + wm_state.object.counters[i];
	totals->checksum = wm_file_hash_words(wm_file_totals_hash(totals), counters, count);
}

static int write_image(void *to, uint64_t units, uint64_t library)
{
	(void)units;
	if (library)
		wm_library_describe(&wm_state.object, to);
	write_totals(library ? (void *)((char *)to + WM_LIBRARY_TOTALS) : to);
	return 0;
}

static const struct wm_store store = {.start = start,
	.needs_saving = needs_saving,
	.save = save,
	.reset = reset,
	.pause = pause_all,
	.resume = resume_all,
	.move = move_all,
	.start_in_child = start_in_child,
	.release = release,
	.image_units = image_units,
	.write_image = write_image};

WM_STORE_ENTRY const struct wm_store *wm_slot_store_entry = &store;
