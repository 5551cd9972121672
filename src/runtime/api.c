/* The functions of waymark.h. Each holds the state's lock, during which signals wait. */
#define _GNU_SOURCE
#include <string.h>

#include "runtime/file/file.h"
#include "runtime/file/name.h"
#include "runtime/count/save.h"
#include "runtime/count/slot.h"
#include "runtime/system.h"
#include "runtime/count/table.h"
#include "waymark.h"

static uint64_t sum_of(size_t index)
{
	uint64_t sum = 0;
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		sum += wm_slot_counters(slot)[index];
	return sum;
}

/* Where the counters cannot be set to zero without losing an increment that is just under way, what
 * they hold is taken off in a chunk beside them. */
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
	return wm_table_reset();
}

static int pause_all(void)
{
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (!slot->kept && wm_slot_pause(slot))
			return -1;
	if (wm_table_pause())
		return -1;
	wm_state.paused = 1;
	return 0;
}

static int resume_all(void)
{
	wm_state.paused = 0;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (wm_slot_resume(slot))
			return -1;
	return wm_table_resume();
}

/* The old chunk is let go of only when nothing counts into it any more: through a second mapping of
 * its header. */
static int move_slot(struct wm_slot *slot)
{
	const size_t bytes = 4096;
	struct wm_chunk_header before = *wm_slot_header(slot);
	struct wm_chunk_header *old =
		slot->chunk.number ? wm_system_remap(wm_slot_header(slot), 0, bytes, NULL) : NULL;
	if (slot->chunk.number && !old)
		return -1;
	int status = wm_slot_renew(slot);
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

static int set_file(const char *pattern)
{
	static char wanted[PATH_MAX], name[PATH_MAX];
	struct wm_locked_file file;
	int foreign, status = 0;
	if (wm_name_absolute(pattern, wanted) || wm_name_expand(&wm_state.object, wanted, name))
		return -1;
	if (wm_file_open(&file, &wm_state.object, name, &foreign))
		return -1;
	wm_file_close(&file);
	wm_save_memory();
	memcpy(wm_state.pattern, wanted, sizeof(wanted));
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		status |= move_slot(slot);
	wm_table_move();
	return status;
}

static uint64_t unit_bytes(void)
{
	return wm_file_unit_bytes(wm_state.object.counter_bytes);
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

static void write_table(struct wm_chunk_header *table, uint64_t span, void *cells, uint64_t bytes)
{
	table->kind = WM_CHUNK_TABLE;
	table->state = WM_CHUNK_RELEASED;
	table->ended = 1;
	table->span = (uint32_t)span;
	memcpy((char *)table + WM_CHUNK_HEADER_BYTES, cells, bytes);
}

/* The file's header, two generations of totals, and perhaps a table of so many chunks. The cells
 * are added up elsewhere: the image may stand at any address. */
static int write_image(char *image, uint64_t span)
{
	struct wm_file_header *header = (void *)image;
	char *table = image + WM_FILE_HEADER_BYTES + WM_FILE_TOTALS_UNITS * unit_bytes();
	wm_file_describe(&wm_state.object, header);
	header->unit_count += span;
	write_totals((void *)(image + WM_FILE_HEADER_BYTES));
	if (!span)
		return 0;
	uint64_t count = wm_table_cells(unit_bytes(), span);
	struct wm_table_cell *cells = wm_table_sum(count);
	if (!cells)
		return -1;
	write_table((void *)table, span, cells, count * WM_TABLE_CELL_BYTES);
	wm_system_unmap(cells, count * WM_TABLE_CELL_BYTES);
	return 0;
}

/* False where the object is not counting. */
static int begin(uint64_t *before)
{
	wm_state_lock(before);
	return wm_state.started && wm_state.first;
}

static int end(const uint64_t *before, int status)
{
	wm_state_unlock(before);
	return status;
}

int waymark_dump(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? wm_save_memory() : -1);
}

int waymark_reset(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? reset() : -1);
}

int waymark_set_file(const char *pattern)
{
	uint64_t before;
	return end(&before, begin(&before) ? set_file(pattern) : -1);
}

int waymark_pause(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? pause_all() : -1);
}

int waymark_resume(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? resume_all() : -1);
}

size_t waymark_write(void *buffer, size_t bytes)
{
	uint64_t before;
	size_t needed = 0;
	if (begin(&before)) {
		uint64_t cells = wm_table_sum_cells();
		uint64_t span = cells ? wm_table_span(unit_bytes(), cells) : 0;
		needed = WM_FILE_HEADER_BYTES + (WM_FILE_TOTALS_UNITS + span) * unit_bytes();
		if (buffer && bytes >= needed) {
			memset(buffer, 0, needed);
			if (write_image(buffer, span))
				needed = 0;
		}
	}
	end(&before, 0);
	return needed;
}
