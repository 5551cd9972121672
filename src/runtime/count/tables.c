/* The store of counts by key (runtime/store.h): which thread has which levels, how they grow, and
 * what is done to all of them at once.
 *
 * A thread finds its newest level through thread-local storage. Older ones are only kept mapped,
 * because code that was interrupted just before its increment may go on there: a level that is
 * given up is parked (extent.h), not unmapped. The tables of a dead thread go to the next one,
 * counts and all.
 *
 * A reset adds what was counted so far, negated, to a table beside the others: their threads may be
 * counting, and no increment must be lost.
 */
#define _GNU_SOURCE
#include "runtime/count/tables.h"

#include <string.h>

#include "runtime/count/cell.h"
#include "runtime/count/slot.h"
#include "runtime/count/spill.h"
#include "runtime/file/name.h"
#include "runtime/file/process.h"
#include "runtime/store.h"
#include "runtime/system.h"

/* More levels than any machine has memory for. */
enum { LEVELS = 32 };

enum { UNKNOWN_THREAD = -1, NO_THREAD = -2 };

struct wm_key_table {
	struct wm_key_table *next;
	int thread;	 /* kernel's id, or one of the above */
	int exhausted;	 /* no larger level could be had */
	uint64_t wanted; /* cells of the next level */
	int newest;
	struct wm_level levels[LEVELS]; /* a ring */
};

static struct wm_key_table *tables;

static struct wm_level *newest_of(struct wm_key_table *table)
{
	return &table->levels[table->newest];
}

static int for_each_level(int (*function)(struct wm_level *))
{
	for (struct wm_key_table *table = tables; table; table = table->next)
		for (int i = 0; i < LEVELS; i++) {
			struct wm_level *level = &table->levels[i];
			int status = level->cells && !level->extent.parked ? function(level) : 0;
			if (status)
				return status;
		}
	return 0;
}

/* The owner of new extents. Not the caller: it may be the child of a vfork in its parent's memory.
 */
static struct wm_chunk_header owner(void)
{
	struct wm_chunk_header header = {0};
	if (wm_state.first)
		return *wm_slot_header(wm_state.first);
	wm_process_sign(&header);
	return header;
}

static void set_status(uint32_t status)
{
	if (wm_state.first)
		wm_slot_header(wm_state.first)->status |= status;
}

int wm_table_claim(const struct wm_extent_wish *wish, struct wm_extent *extent)
{
	static char name[PATH_MAX]; /* static: a thread's stack may be small */
	struct wm_chunk_header signature = owner();
	if (!wm_name_expand(wm_state.object.host, wm_state.pattern, name) &&
		!wm_extent_claim(&wm_state.object, name, wish, &signature, extent))
		return 0;
	if (wm_extent_in_memory(&wm_state.object, wish, &signature, extent))
		return -1;
	set_status(WM_STATUS_THREADS_IN_MEMORY);
	return 0;
}

/* Puts a larger level on top. */
static int put_on_top(struct wm_key_table *table)
{
	int next = (table->newest + 1) % LEVELS;
	struct wm_level *level = &table->levels[next];
	const struct wm_extent_wish wish = {.cells = table->wanted};
	struct wm_extent extent;
	if ((level->cells && !level->extent.parked) || wm_table_claim(&wish, &extent))
		return -1;
	if (level->cells)
		wm_extent_drop(&level->extent, 0);
	wm_level_open(level, table, &extent);
	if (wm_state.paused)
		wm_extent_pause(&level->extent);
	table->newest = next;
	return 0;
}

static int grow(struct wm_key_table *table)
{
	if (!wm_level_advance(newest_of(table)) && put_on_top(table))
		return -1;
	table->wanted = wm_level_more_cells(newest_of(table));
	return 0;
}

static struct wm_key_table *new_table(void)
{
	struct wm_key_table *table =
		wm_system_map(NULL, sizeof(*table), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!table)
		return NULL;
	table->wanted = WM_TABLE_MIN_CELLS;
	if (grow(table)) {
		wm_system_unmap(table, sizeof(*table));
		return NULL;
	}
	table->next = tables;
	tables = table;
	return table;
}

static void drop_table(struct wm_key_table *table, int release)
{
	struct wm_key_table **link = &tables;
	while (*link != table)
		link = &(*link)->next;
	*link = table->next;
	for (int i = 0; i < LEVELS; i++)
		if (table->levels[i].cells)
			wm_extent_drop(&table->levels[i].extent, release);
	wm_system_unmap(table, sizeof(*table));
}

static int is_free(const struct wm_key_table *table)
{
	return table->thread != NO_THREAD && table->thread != UNKNOWN_THREAD &&
	       (table->thread == wm_system_thread() || wm_process_lacks_thread(table->thread));
}

static struct wm_key_table *find_free(void)
{
	struct wm_key_table *table = tables;
	while (table && !is_free(table))
		table = table->next;
	return table;
}

/* The child of a vfork is a process of its own, but its parent will go on with the table. To the
 * child, all threads of the parent look dead. */
static int thread_of_caller(void)
{
	struct wm_chunk_header signature = owner();
	return wm_system_process() == (int)signature.process ? wm_system_thread() : UNKNOWN_THREAD;
}

struct wm_key_table *wm_table_of_caller(void)
{
	if (wm_table_current)
		return wm_table_current->table;
	int thread = thread_of_caller();
	struct wm_key_table *table = thread == UNKNOWN_THREAD ? NULL : find_free();
	if (!table)
		table = new_table();
	if (!table)
		return NULL;
	table->thread = thread;
	wm_table_current = newest_of(table);
	return table;
}

static struct wm_key_table *table_for_resets(void)
{
	struct wm_key_table *table = tables;
	while (table && table->thread != NO_THREAD)
		table = table->next;
	if (!table)
		table = new_table();
	if (table)
		table->thread = NO_THREAD;
	return table;
}

static struct wm_table_cell *find(struct wm_key_table *table, uint64_t place, uint64_t key)
{
	struct wm_level *level = newest_of(table);
	return wm_level_find(level, wm_level_cells(level), place, key);
}

static struct wm_table_cell *find_or_grow(struct wm_key_table *table, uint64_t place, uint64_t key)
{
	struct wm_table_cell *cell = NULL;
	while (table && !cell && !table->exhausted) {
		cell = find(table, place, key);
		if (!cell && grow(table))
			table->exhausted = newest_of(table)->extent.parked ||
					   !wm_level_crowd(newest_of(table));
	}
	return cell;
}

/* The same for the calling thread, from there on. */
static struct wm_table_cell *find_for_caller(uint64_t place, uint64_t key)
{
	struct wm_key_table *table = wm_table_of_caller();
	struct wm_table_cell *cell = find_or_grow(table, place, key);
	if (!cell)
		set_status(WM_STATUS_COUNTS_LOST);
	if (table)
		wm_table_current = newest_of(table);
	return cell;
}

static void take_spilled(uint64_t site, uint64_t key, uint64_t count)
{
	struct wm_table_cell *cell = find_for_caller(site - wm_table_origin, key);
	if (cell)
		wm_cell_add(cell, count);
}

static void drain(void)
{
	if (wm_spill_is_used())
		wm_spill_take(take_spilled);
	if (wm_spill_has_lost())
		set_status(WM_STATUS_COUNTS_LOST);
}

struct wm_table_cell *wm_table_make_room(uint64_t place, uint64_t key)
{
	uint64_t before;
	struct wm_table_cell *cell = NULL;
	if (wm_table_current && wm_table_current->table->exhausted)
		return NULL;
	wm_state_lock(&before);
	if (!wm_state.paused) {
		drain();
		cell = find_for_caller(place, key);
	}
	wm_state_unlock(&before);
	return cell;
}

void wm_table_start(void)
{
	wm_table_origin = (uint64_t)(uintptr_t)wm_state.object.counters - WM_CHUNK_HEADER_BYTES;
	drain();
}

static int is_in_memory(struct wm_level *level)
{
	return !level->extent.number;
}

static int needs_saving(void)
{
	return wm_spill_is_used() || for_each_level(is_in_memory);
}

static struct wm_level *receiver; /* of counts whose own level cannot be written */

static int find_receiver(struct wm_level *level)
{
	int is_own = wm_table_current && level->table == wm_table_current->table;
	receiver = is_own && level->extent.number ? level : NULL;
	return receiver != NULL;
}

static int receive(struct wm_table_cell *counted)
{
	struct wm_table_cell *cell;
	do
		cell = wm_level_find(
			receiver, wm_level_cells(receiver), counted->place, counted->key);
	while (!cell && (wm_level_advance(receiver) || wm_level_crowd(receiver)));
	if (!cell)
		return -1;
	uint64_t count = counted->count;
	wm_cell_add(cell, count);
	wm_cell_add(counted, -count);
	return 0;
}

int wm_table_receive(struct wm_table_cell *cells, uint64_t count)
{
	int status = 0;
	if (!for_each_level(find_receiver))
		return -1;
	for (uint64_t i = 0; i < count; i++)
		if (cells[i].place && cells[i].count)
			status |= receive(&cells[i]);
	return status;
}

static int save_level(struct wm_level *level)
{
	static char name[PATH_MAX];
	if (level->extent.number || !(level->before + level->used))
		return 0;
	if (!wm_name_expand(wm_state.object.host, wm_state.pattern, name) &&
		!wm_extent_save(&wm_state.object, name, &level->extent))
		return 0;
	return wm_table_receive(wm_extent_cells(&level->extent), wm_level_end(level));
}

static int save(void)
{
	drain();
	return for_each_level(save_level);
}

int (*wm_table_others)(int (*visit)(const struct wm_table_cell *cells, uint64_t count));

static uint64_t used_in_all;

static int add_used_cells(const struct wm_table_cell *cells, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		used_in_all += cells[i].place != 0;
	return 0;
}

static int add_used(struct wm_level *level)
{
	used_in_all += level->before + level->used;
	return 0;
}

/* The cells that are needed for all keys together, 0 if there are none. */
static uint64_t sum_cells(void)
{
	used_in_all = 0;
	drain();
	for_each_level(add_used);
	if (wm_table_others)
		wm_table_others(add_used_cells);
	return used_in_all ? wm_table_cells_for(used_in_all) : 0;
}

/* Where the sum goes. */
static struct wm_level sum;

static int add_cells(const struct wm_table_cell *cells, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		if (!cells[i].place || !cells[i].count)
			continue;
		struct wm_table_cell *cell =
			wm_level_find(&sum, sum.cells, cells[i].place, cells[i].key);
		if (cell)
			cell->count += cells[i].count;
	}
	return 0;
}

static int add_level(struct wm_level *level)
{
	return add_cells(wm_extent_cells(&level->extent), wm_level_end(level));
}

/* The sum of all tables in `count` cells, which the caller unmaps. NULL without memory. */
static struct wm_table_cell *add_up(uint64_t count)
{
	struct wm_table_cell *cells = wm_system_map(
		NULL, count * WM_TABLE_CELL_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sum = (struct wm_level){
		.cells = cells, .mask = (count - 1) * WM_TABLE_CELL_BYTES, .limit = count - 1};
	if (cells)
		for_each_level(add_level);
	if (cells && wm_table_others)
		wm_table_others(add_cells);
	return cells;
}

static int take_off(const struct wm_table_cell *cells, uint64_t count)
{
	struct wm_key_table *resets = table_for_resets();
	for (uint64_t i = 0; i < count; i++) {
		if (!cells[i].count)
			continue;
		struct wm_table_cell *cell = find_or_grow(resets, cells[i].place, cells[i].key);
		if (!cell)
			return -1;
		wm_cell_add(cell, -cells[i].count);
	}
	return 0;
}

static int reset(void)
{
	uint64_t count = sum_cells();
	if (!count)
		return 0;
	struct wm_table_cell *cells = add_up(count);
	if (!cells)
		return -1;
	int status = take_off(cells, count);
	wm_system_unmap(cells, count * WM_TABLE_CELL_BYTES);
	return status;
}

static int pause_level(struct wm_level *level)
{
	return level->extent.kept || !wm_extent_pause(&level->extent) ? 0 : -1;
}

static int pause_all(void)
{
	return for_each_level(pause_level);
}

static int resume_level(struct wm_level *level)
{
	return wm_extent_resume(&level->extent);
}

static int resume_all(void)
{
	return for_each_level(resume_level);
}

static int move_level(struct wm_level *level)
{
	level->table->wanted = wm_level_cell_count(newest_of(level->table));
	level->table->exhausted = 0;
	wm_level_park(level, 1);
	return 0;
}

static int move_all(void)
{
	for_each_level(move_level);
	wm_extent_search_again();
	return 0;
}

static int park_level(struct wm_level *level)
{
	level->table->wanted = WM_TABLE_MIN_CELLS;
	wm_level_park(level, 0);
	return 0;
}

static void start_in_child(void)
{
	struct wm_key_table *own = wm_table_current ? wm_table_current->table : NULL;
	for (struct wm_key_table *table = tables, *next; table; table = next) {
		next = table->next;
		if (table != own)
			drop_table(table, 0);
	}
	if (own) {
		own->thread = wm_system_thread();
		own->exhausted = 0;
	}
	for_each_level(park_level);
	wm_spill_clear();
	wm_extent_search_again();
}

static void release(void)
{
	for (struct wm_key_table *table = tables, *next; table; table = next) {
		next = table->next;
		if (table->thread == NO_THREAD || is_free(table))
			drop_table(table, 1);
	}
	wm_table_current = NULL;
}

static uint64_t image_units(void)
{
	uint64_t cells = sum_cells();
	return cells ? wm_table_span(wm_object_unit_bytes(&wm_state.object), cells) : 0;
}

/* The cells are added up elsewhere: the image may stand at any address. */
static int write_image(void *to, uint64_t units, uint64_t library)
{
	struct wm_chunk_header *head = to;
	uint64_t count = wm_table_cells(wm_object_unit_bytes(&wm_state.object), units);
	struct wm_table_cell *cells = add_up(count);
	if (!cells)
		return -1;
	head->kind = library ? WM_CHUNK_LIBRARY_TABLE : WM_CHUNK_TABLE;
	head->library = library;
	head->state = WM_CHUNK_RELEASED;
	head->ended = 1;
	head->span = (uint32_t)units;
	memcpy((char *)to + WM_CHUNK_HEADER_BYTES, cells, count * WM_TABLE_CELL_BYTES);
	wm_system_unmap(cells, count * WM_TABLE_CELL_BYTES);
	return 0;
}

static const struct wm_store store = {.start = wm_table_start,
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

WM_STORE_ENTRY const struct wm_store *wm_table_store_entry = &store;
