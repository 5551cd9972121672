/* Tables in the .wmk file: counts that have a key instead of a counter of their own.
 *
 * A table is a chunk: cells follow its head up to the chunk's end. Their number is the largest
 * power of two that fits. A cell is taken for good, by one 16-byte store of place and key, and
 * never moves: a process may die between any two instructions. The count of a (place, key) is the
 * sum of all cells that hold it, in all tables; so a thread that needs more room starts with empty
 * cells beside those that it had.
 *
 * Keys are searched for in a part of the cells only: a chunk can be far larger than what is
 * counted, and keys all over it would each touch a page of their own. When half of the part is
 * taken, the thread goes on to the next part, which is longer and stands behind it. When the chunk
 * has no room for another part, it goes on to another chunk.
 *
 * Cells are found by linear probing from the key's home. That concerns only the runtime: readers
 * add up and never rely on where a cell stands.
 *
 * Cells of contexts stand in the order in which they were taken, those of a record side by side
 * (format/context_layout.h): then the head says WM_TABLE_ORDERED. Code in a forked child and in
 * another file goes on with the same cells at the same addresses. So a WM_TABLE_COPY begins with
 * the names of another table's cells, and gets no others. */
#ifndef WM_FORMAT_TABLE_CELL_H
#define WM_FORMAT_TABLE_CELL_H

#include <stdint.h>

#include "format/profile_file.h"

struct wm_table_cell {
	uint64_t place;	  /* offset in a chunk of the counter that names the table; 0: empty */
	uint64_t key;	  /* what is counted */
	uint64_t earlier; /* counted by owners of the table before this one */
	uint64_t count;	  /* counted by the process that owns the table */
};

#define WM_TABLE_CELL_BYTES 32u
#define WM_TABLE_MIN_CELLS 64u

/* Instead of a part: how the cells stand. */
#define WM_TABLE_ORDERED 254u
#define WM_TABLE_COPY 255u

/* Odd, with well spread bits: the golden section's. */
#define WM_TABLE_FACTOR 0x9e3779b97f4a7c15

/* How many cells fit into `span` units. */
static inline uint64_t wm_table_cells(uint64_t unit_bytes, uint64_t span)
{
	uint64_t room = (span * unit_bytes - WM_CHUNK_HEADER_BYTES) / WM_TABLE_CELL_BYTES;
	uint64_t cells = 1;
	while (cells <= room / 2)
		cells *= 2;
	return cells;
}

/* How many units hold `cells` cells. */
static inline uint64_t wm_table_span(uint64_t unit_bytes, uint64_t cells)
{
	return (WM_CHUNK_HEADER_BYTES + cells * WM_TABLE_CELL_BYTES + unit_bytes - 1) / unit_bytes;
}

/* The cells in use: those from `first` on, all of them behind the ones that were in use before. */
struct wm_table_part {
	uint64_t first, count;
};

/* The head says the number of the part's first cell, which is also the number of cells in the part,
 * as a power of two. If it says 0, or no power of two that fits, all cells are in use. */
static inline struct wm_table_part wm_table_part(const struct wm_chunk_header *head, uint64_t cells)
{
	uint64_t part = head->part_log2 < 64 ? (uint64_t)1 << head->part_log2 : 0;
	return part > 1 && part <= cells / 2 ? (struct wm_table_part){part, part}
					     : (struct wm_table_part){0, cells};
}

/* The cells that a table of `keys` keys should have: at most half of them are taken. */
static inline uint64_t wm_table_cells_for(uint64_t keys)
{
	uint64_t cells = WM_TABLE_MIN_CELLS;
	while (cells / 2 < keys)
		cells *= 2;
	return cells;
}

static inline uint64_t wm_table_place(uint64_t counter)
{
	return WM_CHUNK_HEADER_BYTES + counter * sizeof(uint64_t);
}

/* Where the search for a key's cell begins: the bits of this that lie within the mask, which is the
 * distance of the last cell in bytes. The product's high bytes, which depend on all bits of the
 * key, become the low ones. */
static inline uint64_t wm_table_home(uint64_t place, uint64_t key)
{
	return __builtin_bswap64((8 * place + key) * WM_TABLE_FACTOR);
}

#endif
