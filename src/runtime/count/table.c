/* The tables of this object's threads: who has which levels, and how they grow.
 *
 * A thread finds its newest level through thread-local storage. Older ones are only kept mapped,
 * because code that was interrupted just before its increment may go on there: a level that is
 * given up is parked (extent.h), not unmapped. The tables of a dead thread go to the next one,
 * counts and all.
 */
#define _GNU_SOURCE
#include "runtime/count/table_list.h"

#include "runtime/count/cell.h"
#include "runtime/file/name.h"
#include "runtime/file/process.h"
#include "runtime/count/slot.h"
#include "runtime/count/spill.h"
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

int wm_table_for_each_level(int (*function)(struct wm_level *))
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

/* Who owns extents: not the caller, which may be the child of a vfork in its parent's memory. */
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

static int claim_extent(uint64_t cells, struct wm_extent *extent)
{
	static char name[PATH_MAX]; /* static: a thread's stack may be small */
	struct wm_chunk_header signature = owner();
	if (!wm_name_expand(&wm_state.object, wm_state.pattern, name) &&
		!wm_extent_claim(&wm_state.object, name, cells, &signature, extent))
		return 0;
	if (wm_extent_in_memory(&wm_state.object, cells, &signature, extent))
		return -1;
	set_status(WM_STATUS_THREADS_IN_MEMORY);
	return 0;
}

/* Puts a larger level on top. */
static int put_on_top(struct wm_key_table *table)
{
	int next = (table->newest + 1) % LEVELS;
	struct wm_level *level = &table->levels[next];
	struct wm_extent extent;
	if ((level->cells && !level->extent.parked) || claim_extent(table->wanted, &extent))
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

/* The child of a vfork is another thread of another process than the one that will go on with the
 * table; to it, all threads of its parent look dead. */
static int thread_of_caller(void)
{
	struct wm_chunk_header signature = owner();
	return wm_system_process() == (int)signature.process ? wm_system_thread() : UNKNOWN_THREAD;
}

static struct wm_key_table *table_of_caller(void)
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

struct wm_key_table *wm_table_for_resets(void)
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

struct wm_table_cell *wm_table_find_or_grow(
	struct wm_key_table *table, uint64_t place, uint64_t key)
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
	struct wm_key_table *table = table_of_caller();
	struct wm_table_cell *cell = wm_table_find_or_grow(table, place, key);
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

void wm_table_drain(void)
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
		wm_table_drain();
		cell = find_for_caller(place, key);
	}
	wm_state_unlock(&before);
	return cell;
}

void wm_table_start(void)
{
	wm_table_origin = (uint64_t)(uintptr_t)wm_state.object.counters - WM_CHUNK_HEADER_BYTES;
	wm_table_drain();
}

static int move_level(struct wm_level *level)
{
	level->table->wanted = wm_level_cell_count(newest_of(level->table));
	level->table->exhausted = 0;
	wm_level_park(level, 1);
	return 0;
}

void wm_table_move(void)
{
	wm_table_for_each_level(move_level);
	wm_extent_search_again();
}

static int park_level(struct wm_level *level)
{
	level->table->wanted = WM_TABLE_MIN_CELLS;
	wm_level_park(level, 0);
	return 0;
}

void wm_table_start_in_child(void)
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
	wm_table_for_each_level(park_level);
	wm_spill_clear();
	wm_extent_search_again();
}

void wm_table_release(void)
{
	for (struct wm_key_table *table = tables, *next; table; table = next) {
		next = table->next;
		if (table->thread == NO_THREAD || is_free(table))
			drop_table(table, 1);
	}
	wm_table_current = NULL;
}
