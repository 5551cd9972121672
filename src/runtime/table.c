/* The tables of this object's threads: who has which levels, and how they grow.
 *
 * A thread finds its newest level through thread-local storage. Older ones are only kept mapped,
 * because code that was interrupted just before its increment may go on there: a level that is
 * given up is parked (run.h), not unmapped. The tables of a dead thread go to the next one, counts
 * and all.
 */
#define _GNU_SOURCE
#include "runtime/table.h"

#include "runtime/cell.h"
#include "runtime/name.h"
#include "runtime/process.h"
#include "runtime/slot.h"
#include "runtime/spill.h"
#include "runtime/system.h"

/* With a factor of 4 between them, more levels than any machine has memory for. */
enum { LEVELS = 24, GROWTH = 4, UNKNOWN_THREAD = -1 };

struct wm_table {
	struct wm_table *next;
	int thread;	 /* kernel's id */
	int exhausted;	 /* no larger level could be had */
	uint64_t wanted; /* cells of the next level */
	int newest;
	struct wm_level levels[LEVELS]; /* a ring */
};

static struct wm_table *tables, *reset_table;
static int is_released;

static struct wm_level *newest_of(struct wm_table *table)
{
	return &table->levels[table->newest];
}

/* Calls the function for every level that may hold counts. Stops at, and returns, what is not 0. */
static int for_each_level(int (*function)(struct wm_level *))
{
	for (struct wm_table *table = tables; table; table = table->next)
		for (int i = 0; i < LEVELS; i++) {
			struct wm_level *level = &table->levels[i];
			int status = level->cells && !level->run.parked ? function(level) : 0;
			if (status)
				return status;
		}
	return 0;
}

/* Who owns runs: not the caller, which may be the child of a vfork in its parent's memory. */
static struct wm_block_header owner(void)
{
	struct wm_block_header header = {0};
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

static int claim_run(uint64_t cells, struct wm_run *run)
{
	static char name[PATH_MAX]; /* static: a thread's stack may be small */
	struct wm_block_header signature = owner();
	if (!wm_name_expand(&wm_state.object, wm_state.pattern, name) &&
		!wm_run_claim(&wm_state.object, name, cells, &signature, run))
		return 0;
	if (wm_run_in_memory(&wm_state.object, cells, &signature, run))
		return -1;
	set_status(WM_STATUS_THREADS_IN_MEMORY);
	return 0;
}

/* Puts a larger level on top. */
static int grow(struct wm_table *table)
{
	int next = (table->newest + 1) % LEVELS;
	struct wm_level *level = &table->levels[next];
	struct wm_run run;
	if ((level->cells && !level->run.parked) || claim_run(table->wanted, &run))
		return -1;
	if (level->cells)
		wm_run_drop(&level->run, 0);
	wm_level_open(level, table, &run);
	if (wm_state.paused)
		wm_run_pause(&level->run);
	table->newest = next;
	table->wanted = wm_level_cell_count(level) * GROWTH;
	return 0;
}

static struct wm_table *new_table(void)
{
	struct wm_table *table =
		wm_system_map(NULL, sizeof(*table), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!table)
		return NULL;
	table->wanted = WM_TABLE_LEAST_CELLS;
	if (grow(table)) {
		wm_system_unmap(table, sizeof(*table));
		return NULL;
	}
	table->next = tables;
	tables = table;
	return table;
}

static void drop_table(struct wm_table *table, int release)
{
	struct wm_table **link = &tables;
	while (*link != table)
		link = &(*link)->next;
	*link = table->next;
	for (int i = 0; i < LEVELS; i++)
		if (table->levels[i].cells)
			wm_run_drop(&table->levels[i].run, release);
	wm_system_unmap(table, sizeof(*table));
}

static int is_free(const struct wm_table *table)
{
	return table != reset_table && table->thread != UNKNOWN_THREAD &&
	       (table->thread == wm_system_thread() || wm_process_lacks_thread(table->thread));
}

/* The thread of a vfork's child is not the one that will go on with the table. */
static int thread_of_caller(void)
{
	struct wm_block_header signature = owner();
	return wm_system_process() == (int)signature.process ? wm_system_thread() : UNKNOWN_THREAD;
}

static struct wm_table *table_of_caller(void)
{
	if (wm_table_current)
		return wm_table_current->table;
	struct wm_table *table = tables;
	while (table && !is_free(table))
		table = table->next;
	if (!table)
		table = new_table();
	if (!table)
		return NULL;
	table->thread = thread_of_caller();
	wm_table_current = newest_of(table);
	return table;
}

static struct wm_table_cell *find(struct wm_table *table, uint64_t place, uint64_t key)
{
	struct wm_level *level = newest_of(table);
	return wm_level_find(level, wm_run_cells(&level->run), place, key);
}

/* A cell for the key in the newest level, or in a larger one. */
static struct wm_table_cell *find_or_grow(struct wm_table *table, uint64_t place, uint64_t key)
{
	struct wm_table_cell *cell = NULL;
	while (table && !cell && !table->exhausted) {
		cell = find(table, place, key);
		if (!cell && grow(table))
			table->exhausted =
				newest_of(table)->run.parked || !wm_level_crowd(newest_of(table));
	}
	if (!cell)
		set_status(WM_STATUS_COUNTS_LOST);
	return cell;
}

static void take_spilled(uint64_t site, uint64_t key, uint64_t count)
{
	struct wm_table *table = table_of_caller();
	struct wm_table_cell *cell = find_or_grow(table, site - wm_table_origin, key);
	if (cell)
		wm_cell_add(cell, count);
	if (table)
		wm_table_current = newest_of(table);
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
	if (!wm_state.paused && !is_released) {
		struct wm_table *table = table_of_caller();
		wm_table_drain();
		cell = find_or_grow(table, place, key);
		if (table)
			wm_table_current = newest_of(table);
	}
	wm_state_unlock(&before);
	return cell;
}

void wm_table_start(void)
{
	wm_table_origin = (uint64_t)(uintptr_t)wm_state.object.counters - WM_BLOCK_HEADER_BYTES;
	wm_table_drain();
}

static int is_in_memory(struct wm_level *level)
{
	return !level->run.number;
}

int wm_table_needs_saving(void)
{
	return wm_spill_is_used() || for_each_level(is_in_memory);
}

static int save_level(struct wm_level *level)
{
	static char name[PATH_MAX];
	if (level->run.number || !level->used)
		return 0;
	if (wm_name_expand(&wm_state.object, wm_state.pattern, name))
		return -1;
	return wm_run_save(&wm_state.object, name, &level->run);
}

int wm_table_save(void)
{
	wm_table_drain();
	return for_each_level(save_level);
}

static int pause_level(struct wm_level *level)
{
	return level->run.kept || !wm_run_pause(&level->run) ? 0 : -1;
}

int wm_table_pause(void)
{
	return for_each_level(pause_level);
}

static int resume_level(struct wm_level *level)
{
	return wm_run_resume(&level->run);
}

int wm_table_resume(void)
{
	return for_each_level(resume_level);
}

static uint64_t used_in_all;

static int add_used(struct wm_level *level)
{
	used_in_all += level->used;
	return 0;
}

uint64_t wm_table_sum_cells(void)
{
	used_in_all = 0;
	wm_table_drain();
	for_each_level(add_used);
	return used_in_all ? wm_table_cells_for(used_in_all) : 0;
}

/* Where the sum goes. */
static struct wm_level sum;

static int add_level(struct wm_level *level)
{
	const struct wm_table_cell *cells = wm_run_cells(&level->run);
	uint64_t count = wm_level_cell_count(level);
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

struct wm_table_cell *wm_table_sum(uint64_t count)
{
	struct wm_table_cell *cells = wm_system_map(
		NULL, count * WM_TABLE_CELL_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sum = (struct wm_level){
		.cells = cells, .mask = (count - 1) * WM_TABLE_CELL_BYTES, .limit = count - 1};
	if (cells)
		for_each_level(add_level);
	return cells;
}

static int take_off(const struct wm_table_cell *cells, uint64_t count)
{
	if (!reset_table) {
		reset_table = new_table();
		if (!reset_table)
			return -1;
		reset_table->thread = UNKNOWN_THREAD;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (!cells[i].count)
			continue;
		struct wm_table_cell *cell =
			find_or_grow(reset_table, cells[i].place, cells[i].key);
		if (!cell)
			return -1;
		wm_cell_add(cell, -cells[i].count);
	}
	return 0;
}

int wm_table_reset(void)
{
	uint64_t count = wm_table_sum_cells();
	if (!count)
		return 0;
	struct wm_table_cell *cells = wm_table_sum(count);
	if (!cells)
		return -1;
	int status = take_off(cells, count);
	wm_system_unmap(cells, count * WM_TABLE_CELL_BYTES);
	return status;
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
	for_each_level(move_level);
	wm_run_search_again();
}

static int park_level(struct wm_level *level)
{
	level->table->wanted = WM_TABLE_LEAST_CELLS;
	wm_level_park(level, 0);
	return 0;
}

void wm_table_start_in_child(void)
{
	struct wm_table *own = wm_table_current ? wm_table_current->table : NULL;
	reset_table = NULL;
	for (struct wm_table *table = tables, *next; table; table = next) {
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
	wm_run_search_again();
}

void wm_table_release(void)
{
	is_released = 1;
	for (struct wm_table *table = tables, *next; table; table = next) {
		next = table->next;
		if (table == reset_table || is_free(table))
			drop_table(table, 1);
	}
	wm_table_current = NULL;
}
