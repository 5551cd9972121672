/* Sorts counts by key in linear time: a profile may have millions. */
#ifndef WM_PROFILE_ENTRY_ORDER_H
#define WM_PROFILE_ENTRY_ORDER_H

#include <stdint.h>

struct wm_file_entry;

/* By counter, then by key. */
void wm_entries_order(struct wm_file_entry *entries, uint64_t count);

/* By key; entries of one key stay in their order. */
void wm_entries_order_by_key(struct wm_file_entry *entries, uint64_t count);

#endif
