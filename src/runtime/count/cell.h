/* Cells of a table, changed by single instructions: a signal's handler may run between any two, and
 * the process may die there. */
#ifndef WM_RUNTIME_CELL_H
#define WM_RUNTIME_CELL_H

#include "format/table_cell.h"

static inline int wm_cell_exchange(
	uint64_t *pair, uint64_t old_low, uint64_t old_high, uint64_t low, uint64_t high)
{
	char done;
	__asm__ volatile("lock cmpxchg16b %1"
		: "=@ccz"(done), "+m"(*(unsigned __int128 *)pair), "+a"(old_low), "+d"(old_high)
		: "b"(low), "c"(high)
		: "memory");
	return done;
}

/* Takes an empty cell; false if it is not empty any more. */
static inline int wm_cell_take(struct wm_table_cell *cell, uint64_t place, uint64_t key)
{
	return wm_cell_exchange(&cell->place, 0, 0, place, key);
}

/* What was counted becomes what earlier owners have counted. */
static inline void wm_cell_close(struct wm_table_cell *cell)
{
	while (!wm_cell_exchange(
		&cell->earlier, cell->earlier, cell->count, cell->earlier + cell->count, 0))
		;
}

static inline void wm_cell_add(struct wm_table_cell *cell, uint64_t amount)
{
	__asm__ volatile("addq %1,%0" : "+m"(cell->count) : "er"(amount) : "memory");
}

/* The same where several threads may add. */
static inline void wm_cell_add_shared(struct wm_table_cell *cell, uint64_t amount)
{
	__atomic_fetch_add(&cell->count, amount, __ATOMIC_RELAXED);
}

#endif
