/* All paths, with their counts: what the hot path table is compared with.
 *
 * The caller owns both arrays and makes them larger; the paths keep their numbers, which are those
 * of their first execution.
 */
#ifndef WM_HPP_EXACT_TABLE_H
#define WM_HPP_EXACT_TABLE_H

#include <stddef.h>

#include "hpp/path_stack.h"

enum { WM_PATH_CALLERS = 3 };

/* Where the frames of a path were called from: the heaviest three, by the space-saving rule. */
struct wm_path_caller {
	uint64_t return_address;
	uint64_t count;
};

struct wm_exact_path {
	uint64_t start;
	uint64_t rest; /* length << 32 | outcomes */
	uint64_t count;
	uint64_t events;	     /* of the hardware's counter */
	uint64_t sum[WM_HPP_COUNTS]; /* of every event */
	uint64_t ending[8];	     /* the first WM_ENDINGS */
	struct wm_path_caller caller[WM_PATH_CALLERS];
	uint32_t first_window;
	uint32_t set;	/* of the hot path table that it is in; known when it is first counted */
	uint32_t flags; /* WM_ENTRY_PARTIAL: it began where no path begins, at least once */
};

struct wm_exact_table {
	struct wm_exact_path *path;
	uint32_t paths, capacity;
	uint32_t *index;     /* number of a path + 1, or 0 */
	uint32_t index_size; /* a power of two, more than the capacity */
};

/* Whether the next path might find no room. */
static inline bool wm_exact_table_is_full(const struct wm_exact_table *table)
{
	return table->paths == table->capacity;
}

/* Takes larger arrays, the first with the paths copied into it; the old are the caller's again. */
void wm_exact_table_move(struct wm_exact_table *table, struct wm_exact_path *path,
	uint32_t capacity, uint32_t *index, uint32_t index_size);

/* The path, which is made if it is not there; NULL if there is no room for it. */
struct wm_exact_path *wm_exact_table_path(
	struct wm_exact_table *table, uint64_t start, uint64_t rest);

/* The path, or NULL. */
struct wm_exact_path *wm_exact_table_find(
	const struct wm_exact_table *table, uint64_t start, uint64_t rest);

/* Counts one execution. */
void wm_exact_path_add(
	struct wm_exact_path *path, const struct wm_path_entry *entry, enum wm_path_ending ending);

/* Counts as many executions of a path of which nothing but instructions is counted. */
void wm_exact_path_add_times(struct wm_exact_path *path, const struct wm_path_entry *entry,
	enum wm_path_ending ending, uint64_t times);

#endif
