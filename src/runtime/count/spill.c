/* Any thread may count here, so these cells are shared and their increments atomic. They hold the
 * site's address, because the start of the counters is unknown before the runtime has started. */
#include "runtime/count/spill.h"

#include "runtime/count/cell.h"

enum { CELLS = 128 };

static struct wm_table_cell cells[CELLS] __attribute__((aligned(WM_TABLE_CELL_BYTES)));
static int used, lost;

void wm_spill_count(const uint64_t *site, uint64_t key)
{
	uint64_t place = (uint64_t)(uintptr_t)site;
	for (int i = 0; i < CELLS; i++) {
		struct wm_table_cell *cell = &cells[i];
		if (!cell->place)
			wm_cell_take(cell, place, key);
		if (cell->place != place || cell->key != key)
			continue;
		wm_cell_add_shared(cell, 1);
		used = 1;
		return;
	}
	lost = 1;
}

int wm_spill_is_used(void)
{
	return used;
}

int wm_spill_has_lost(void)
{
	return lost;
}

void wm_spill_take(void (*take)(uint64_t site, uint64_t key, uint64_t count))
{
	used = 0;
	for (int i = 0; i < CELLS && cells[i].place; i++) {
		uint64_t count = __atomic_exchange_n(&cells[i].count, 0, __ATOMIC_RELAXED);
		if (count)
			take(cells[i].place, cells[i].key, count);
	}
}

void wm_spill_clear(void)
{
	used = lost = 0;
	for (int i = 0; i < CELLS; i++)
		cells[i].count = 0;
}
