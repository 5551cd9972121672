/* Levels: an extent as a hash table. A thread counts into its newest level, there into the part
 * that is in use; when that is half full, into the next part, and when there is none, a larger
 * level is put on top. Parts and levels that are no longer in use stay as they are. */
#ifndef WM_RUNTIME_LEVEL_H
#define WM_RUNTIME_LEVEL_H

#include "runtime/file/extent.h"

struct wm_key_table;

struct wm_level {
	struct wm_table_cell *cells; /* the part in use; count.c knows where this field stands */
	uint64_t mask;		     /* distance of its last cell; and this one */
	uint64_t used;		     /* cells of it that are taken */
	uint64_t limit;		     /* how many may be taken; 0: it is parked */
	uint64_t first;		     /* number of its first cell in the extent */
	uint64_t before;	     /* cells taken that stand before it */
	struct wm_key_table *table;
	struct wm_extent extent;
};

/* Makes a level of the extent, which may hold keys already. */
void wm_level_open(
	struct wm_level *level, struct wm_key_table *table, const struct wm_extent *extent);

/* How many cells should come after those in use. */
uint64_t wm_level_more_cells(const struct wm_level *level);

/* Goes on with the next part of the extent. False if there is none. A search of the part before
 * that was interrupted comes to an empty cell behind that part, or into this one. */
int wm_level_advance(struct wm_level *level);

/* For when no larger level can be had: lets more cells be taken, but never all. False if that was
 * done before. */
int wm_level_crowd(struct wm_level *level);

/* For good: see wm_extent_park. No cell is found any more. */
void wm_level_park(struct wm_level *level, int release);

/* The cell of the key, among those given, which are the part in use; a new one if need be. NULL if
 * that is full. Safe beside handlers of signals that do the same. */
struct wm_table_cell *wm_level_find(
	struct wm_level *level, struct wm_table_cell *cells, uint64_t place, uint64_t key);

/* Cells of the part in use. */
static inline uint64_t wm_level_cell_count(const struct wm_level *level)
{
	return level->mask / WM_TABLE_CELL_BYTES + 1;
}

/* Where these cells are, paused or not. */
static inline struct wm_table_cell *wm_level_cells(const struct wm_level *level)
{
	return wm_extent_cells(&level->extent) + level->first;
}

/* Number of the extent's cells, from its first on, that are or were in use. */
static inline uint64_t wm_level_end(const struct wm_level *level)
{
	return level->first + wm_level_cell_count(level);
}

#endif
