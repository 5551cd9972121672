/* Levels: a run as a hash table. A thread counts into its newest level; a larger one is put on top
 * when that is half full, and the old one stays as it is. */
#ifndef WM_RUNTIME_LEVEL_H
#define WM_RUNTIME_LEVEL_H

#include "runtime/run.h"

struct wm_table;

struct wm_level {
	struct wm_table_cell *cells; /* where to count; count.c knows where this field stands */
	uint64_t mask;		     /* distance of the last cell; and this one */
	uint64_t used;		     /* cells taken */
	uint64_t limit;		     /* so many may be taken; 0: it is parked */
	struct wm_table *table;
	struct wm_run run;
};

/* Makes a level of the run, which may hold keys already. */
void wm_level_open(struct wm_level *level, struct wm_table *table, const struct wm_run *run);

/* When there is no way to get a larger one: lets more cells be taken, but never all. False if that
 * was done before. */
int wm_level_crowd(struct wm_level *level);

/* For good: see wm_run_park. No cell is found any more. */
void wm_level_park(struct wm_level *level, int release);

/* The cell of the key, among those given, which are the level's; a new one if need be. NULL if the
 * level is full. Safe beside handlers of signals that do the same. */
struct wm_table_cell *wm_level_find(
	struct wm_level *level, struct wm_table_cell *cells, uint64_t place, uint64_t key);

static inline uint64_t wm_level_cell_count(const struct wm_level *level)
{
	return level->mask / WM_TABLE_CELL_BYTES + 1;
}

#endif
