/* Linear probing from the key's home to the first empty cell. Cells are never given up, and at
 * least every eighth stays empty, so this ends. */
#define _GNU_SOURCE
#include "runtime/count/level.h"

#include "runtime/count/cell.h"
#include "runtime/file/object.h"
#include "runtime/system.h"

/* From this many cells on, 2 MB, the next part is only twice as long: cells that are never taken
 * cost more than keys that are entered again. Pages of longer parts are made when they are touched.
 */
enum { MAX_QUICK_CELLS = 1 << 16 };

static uint64_t count_used(const struct wm_table_cell *cells, uint64_t count)
{
	uint64_t used = 0;
	for (uint64_t i = 0; i < count; i++)
		used += cells[i].place != 0;
	return used;
}

/* Keys stand all over a part, so each of its pages will be touched, first to read a cell and then
 * to write it. Handling both faults takes the kernel twice as long as making all pages now. With
 * very many pages, the program would notice the pause. */
static void make_pages(const struct wm_level *level)
{
	uint64_t cells = wm_level_cell_count(level);
	if (cells <= MAX_QUICK_CELLS)
		wm_system_make_pages(wm_level_cells(level), cells * WM_TABLE_CELL_BYTES);
}

void wm_level_open(
	struct wm_level *level, struct wm_key_table *table, const struct wm_extent *extent)
{
	struct wm_table_cell *cells = wm_extent_cells(extent);
	struct wm_table_part part =
		wm_table_part(wm_extent_header(extent), wm_extent_cell_count(extent));
	*level = (struct wm_level){.cells = cells + part.first,
		.mask = (part.count - 1) * WM_TABLE_CELL_BYTES,
		.used = count_used(cells + part.first, part.count),
		.limit = part.count / 2,
		.first = part.first,
		.before = count_used(cells, part.first),
		.table = table,
		.extent = *extent};
	if (!level->used)
		make_pages(level);
}

uint64_t wm_level_more_cells(const struct wm_level *level)
{
	uint64_t cells = wm_level_cell_count(level);
	return cells * (cells < MAX_QUICK_CELLS ? 4 : 2);
}

/* The next part, if there is any: it may be shorter than it should be. */
static uint64_t next_part(const struct wm_level *level)
{
	uint64_t wanted = wm_level_more_cells(level);
	uint64_t longest = wm_extent_cell_count(&level->extent) / 2;
	return wanted <= longest ? wanted : longest;
}

/* The head first: a process that takes the extent over must not overlook a cell. */
int wm_level_advance(struct wm_level *level)
{
	uint64_t next = next_part(level);
	if (!level->first || !level->limit || next <= level->first)
		return 0;
	__atomic_store_n(&wm_extent_header(&level->extent)->part_log2,
		(uint8_t)__builtin_ctzll(next), __ATOMIC_RELEASE);
	level->cells += next - level->first;
	level->mask = (next - 1) * WM_TABLE_CELL_BYTES;
	level->first = next;
	level->before += level->used;
	level->used = 0;
	level->limit = next / 2;
	make_pages(level);
	return 1;
}

int wm_level_crowd(struct wm_level *level)
{
	uint64_t cells = wm_level_cell_count(level);
	int more = level->limit == cells / 2;
	level->limit = cells - cells / 8;
	return more;
}

/* The limit goes first: see wm_level_find. */
void wm_level_park(struct wm_level *level, int release)
{
	__atomic_store_n(&level->limit, 0, __ATOMIC_SEQ_CST);
	if (!level->extent.parked)
		wm_extent_park(&level->extent, release);
}

/* If the level was parked while a cell was taken, that cell may be one of those that nothing reads.
 */
static int is_parked(const struct wm_level *level)
{
	return !__atomic_load_n(&level->limit, __ATOMIC_SEQ_CST);
}

static void take(struct wm_level *level, struct wm_table_cell *cell, uint64_t place, uint64_t key)
{
	if (wm_cell_take(cell, place, key))
		__asm__ volatile("incq %0" : "+m"(level->used));
}

struct wm_table_cell *wm_level_find(
	struct wm_level *level, struct wm_table_cell *cells, uint64_t place, uint64_t key)
{
	uint64_t at = wm_table_home(place, key) & level->mask;
	for (uint64_t left = wm_level_cell_count(level); left > 0; left--) {
		struct wm_table_cell *cell = (struct wm_table_cell *)((char *)cells + at);
		if (!cell->place) {
			if (level->used >= level->limit)
				return NULL;
			take(level, cell, place, key);
		}
		if (cell->place == place && cell->key == key)
			return is_parked(level) ? NULL : cell;
		at = (at + WM_TABLE_CELL_BYTES) & level->mask;
	}
	return NULL;
}
