/* The counts of one object as bytes: only those that are not zero. Most counters of a program are
 * zero in each run, so a record takes a few bytes for each that is not.
 *
 *	record  = length, count, (gap, value)*, count, (gap, key, value)*
 *
 * Numbers are LEB128 of 64 bits. `length` is how many counters the object has. A gap leads from the
 * counter behind the one before; among entries of tables, from the one before itself. Both the
 * runtime (labels) and the store write it. */
#ifndef WM_FORMAT_SPARSE_H
#define WM_FORMAT_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

enum { WM_SPARSE_NUMBER_BYTES = 10 }; /* the longest LEB128 of 64 bits */

struct wm_sparse_entry {
	uint64_t counter; /* index of the counter that names the table */
	uint64_t key;
	uint64_t count;
};

/* Writes the number; returns the place behind it. */
static inline uint8_t *wm_sparse_put(uint8_t *to, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = (uint8_t)(number | 0x80);
	*to++ = (uint8_t)number;
	return to;
}

/* Reads a number; NULL if it does not end before `end` or is longer than 64 bits. */
const uint8_t *wm_sparse_get(const uint8_t *from, const uint8_t *end, uint64_t *number);

struct wm_sparse {
	uint64_t length;
	uint64_t counter_count; /* those that are not zero */
	uint64_t *counters;	/* their indices, rising */
	uint64_t *values;
	uint64_t entry_count;
	struct wm_sparse_entry *entries; /* by counter and key, rising */
};

/* The record of an object's counters and entries, in the arena. */
uint8_t *wm_sparse_encode(struct wm_arena *arena, uint64_t length, const uint64_t *counter,
	const struct wm_sparse_entry *entries, uint64_t entry_count, size_t *bytes);

/* Reads a record, which is untrusted. Returns what is wrong with it; NULL: nothing. */
const char *wm_sparse_decode(
	struct wm_arena *arena, const uint8_t *record, size_t bytes, struct wm_sparse *sparse);

#endif
