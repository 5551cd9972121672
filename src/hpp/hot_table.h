/* The hot path table: a set-associative table of keys and weights in a fixed number of cells.
 *
 * It knows no paths. A weight is added to its key's cell; a key without a cell takes that of the
 * lightest key of its set, or not, as the policy says. What can be said of a cell afterwards:
 *     lfu, lru        the weight since the key came in: at least so much
 *     space-saving    weight - error <= true weight <= weight, and every key heavier than the set's
 *                     total weight / ways is in the table
 *     admit           an estimate without a bound, and the best overlap
 * lfu is that of the thesis, section 5.4. space-saving: Metwally, Agrawal, El Abbadi, 2005. admit:
 * Ben Basat, Einziger, Friedman, Kassner, "Randomized admission policy", 2017.
 */
#ifndef WM_HPP_HOT_TABLE_H
#define WM_HPP_HOT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_hot_index {
	WM_INDEX_FOLD,
	WM_INDEX_XOR,
	WM_INDEX_ADDRESS,
	WM_INDEX_SCALED,
	WM_HOT_INDEXES
};
enum wm_hot_policy {
	WM_POLICY_LFU,
	WM_POLICY_LRU,
	WM_POLICY_SPACE_SAVING,
	WM_POLICY_ADMIT,
	WM_HOT_POLICIES
};

extern const char *const wm_hot_index_names[WM_HOT_INDEXES];
extern const char *const wm_hot_policy_names[WM_HOT_POLICIES];

struct wm_hot_shape {
	uint32_t entries, ways; /* powers of two */
	uint8_t index, policy;
	uint8_t shift;	      /* of the address: 0, or 2 where instructions have four bytes */
	uint8_t present_zero; /* also weights of zero claim a cell */
};

struct wm_hot_cell {
	uint64_t start;
	uint64_t rest;	 /* length << 32 | outcomes */
	uint32_t weight; /* saturates */
	uint32_t error;	 /* not in hardware */
	uint64_t stamp;
	uint8_t used; /* 0 or 1 */
};

struct wm_hot_table {
	struct wm_hot_shape shape;
	uint32_t sets, set_bits, weight_top;
	struct wm_hot_cell *cell;
	uint64_t hits, misses, evictions, turned_away;
	uint64_t clock, random;
};

enum wm_hot_result { WM_HOT_HIT, WM_HOT_MISS, WM_HOT_NOTHING };

/* NULL, or what is wrong with the shape. */
const char *wm_hot_shape_check(const struct wm_hot_shape *shape);

size_t wm_hot_table_bytes(const struct wm_hot_shape *shape);

/* What the table takes in hardware: 42 bits of address, 6 of length, 32 each of outcomes and
 * weight. */
size_t wm_hot_hardware_bytes(const struct wm_hot_shape *shape);

void wm_hot_table_init(struct wm_hot_table *table, const struct wm_hot_shape *shape, void *memory);

void wm_hot_table_clear(struct wm_hot_table *table);

uint32_t wm_hot_table_set(const struct wm_hot_table *table, uint64_t start, uint64_t rest);

enum wm_hot_result wm_hot_table_add(
	struct wm_hot_table *table, uint64_t start, uint64_t rest, uint32_t weight);

/* The same in the set that wm_hot_table_set gave. */
enum wm_hot_result wm_hot_table_add_to(
	struct wm_hot_table *table, uint32_t set, uint64_t start, uint64_t rest, uint32_t weight);

/* The same as often as told, one behind the other. Returns how often the key was not there. */
uint64_t wm_hot_table_add_times(struct wm_hot_table *table, uint32_t set, uint64_t start,
	uint64_t rest, uint32_t weight, uint64_t times);

/* The key's cell, or NULL. */
const struct wm_hot_cell *wm_hot_table_find(
	const struct wm_hot_table *table, uint64_t start, uint64_t rest);

/* Adds what another table of the same shape holds: weights and errors of equal keys are added, and
 * of each set the heaviest keys stay. */
void wm_hot_table_merge(struct wm_hot_table *table, const struct wm_hot_table *other);

#endif
