/* What is done to all tables of the object at once: saving, pausing, adding up, resetting.
 *
 * A reset adds what was counted so far, negated, to a table beside the others: their threads may be
 * counting, and no increment must be lost.
 */
#define _GNU_SOURCE
#include "runtime/count/cell.h"
#include "runtime/file/name.h"
#include "runtime/count/spill.h"
#include "runtime/state.h"
#include "runtime/system.h"
#include "runtime/count/table_list.h"

static int is_in_memory(struct wm_level *level)
{
	return !level->extent.number;
}

int wm_table_needs_saving(void)
{
	return wm_spill_is_used() || wm_table_for_each_level(is_in_memory);
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

/* Where the file cannot be opened any more: into a level of the calling thread that is mapped. */
static int move_level_to_caller(struct wm_level *level)
{
	struct wm_table_cell *cells = wm_extent_cells(&level->extent);
	uint64_t count = wm_level_end(level);
	int status = 0;
	if (!wm_table_for_each_level(find_receiver))
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
	if (!wm_name_expand(&wm_state.object, wm_state.pattern, name) &&
		!wm_extent_save(&wm_state.object, name, &level->extent))
		return 0;
	return move_level_to_caller(level);
}

int wm_table_save(void)
{
	wm_table_drain();
	return wm_table_for_each_level(save_level);
}

static int pause_level(struct wm_level *level)
{
	return level->extent.kept || !wm_extent_pause(&level->extent) ? 0 : -1;
}

int wm_table_pause(void)
{
	return wm_table_for_each_level(pause_level);
}

static int resume_level(struct wm_level *level)
{
	return wm_extent_resume(&level->extent);
}

int wm_table_resume(void)
{
	return wm_table_for_each_level(resume_level);
}

static uint64_t used_in_all;

static int add_used(struct wm_level *level)
{
	used_in_all += level->before + level->used;
	return 0;
}

uint64_t wm_table_sum_cells(void)
{
	used_in_all = 0;
	wm_table_drain();
	wm_table_for_each_level(add_used);
	return used_in_all ? wm_table_cells_for(used_in_all) : 0;
}

/* Where the sum goes. */
static struct wm_level sum;

static int add_level(struct wm_level *level)
{
	const struct wm_table_cell *cells = wm_extent_cells(&level->extent);
	uint64_t count = wm_level_end(level);
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
		wm_table_for_each_level(add_level);
	return cells;
}

static int take_off(const struct wm_table_cell *cells, uint64_t count)
{
	struct wm_key_table *resets = wm_table_for_resets();
	for (uint64_t i = 0; i < count; i++) {
		if (!cells[i].count)
			continue;
		struct wm_table_cell *cell =
			wm_table_find_or_grow(resets, cells[i].place, cells[i].key);
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
