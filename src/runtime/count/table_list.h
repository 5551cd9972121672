/* The list of tables, for those who work on all of them. Under the state's lock. */
#ifndef WM_RUNTIME_TABLE_LIST_H
#define WM_RUNTIME_TABLE_LIST_H

#include "runtime/count/table.h"

/* Calls the function for every level that may hold counts. Stops at what is not 0, and returns it.
 */
int wm_table_for_each_level(int (*function)(struct wm_level *));

/* The table of no thread; NULL without memory. */
struct wm_key_table *wm_table_for_resets(void);

/* A cell for the key in the table's newest level, or in a larger one; NULL if it is lost, or there
 * is no table. */
struct wm_table_cell *wm_table_find_or_grow(
	struct wm_key_table *table, uint64_t place, uint64_t key);

#endif
