/* A number for each key, of keys that are found one by one. */
#ifndef WM_REPORT_KEY_COUNTS_H
#define WM_REPORT_KEY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_key_count {
	uint64_t key;
	uint64_t number;
	bool is_used;
};

/* A zeroed struct with `arena` set is empty. */
struct wm_key_counts {
	struct wm_arena *arena;
	struct wm_key_count *cells; /* those that are not used have nothing in them */
	size_t cell_count;	    /* a power of two, or 0 */
	size_t count;
};

/* The number of the key, which is 0 at first; it may be changed until the next call. */
uint64_t *wm_key_counts_at(struct wm_key_counts *counts, uint64_t key);

/* The same without adding the key; NULL: it is not there. */
uint64_t *wm_key_counts_find(const struct wm_key_counts *counts, uint64_t key);

#endif
