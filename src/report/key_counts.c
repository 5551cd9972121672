/* A table with open addresses, at most half full. */
#include "report/key_counts.h"

enum { FIRST_CELLS = 64 };

static struct wm_key_count *cell_of(const struct wm_key_counts *counts, uint64_t key)
{
	uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = counts->cell_count - 1, at = (size_t)(mixed >> 20) & mask;
	while (counts->cells[at].is_used && counts->cells[at].key != key)
		at = (at + 1) & mask;
	return &counts->cells[at];
}

static void grow(struct wm_key_counts *counts)
{
	struct wm_key_counts old = *counts;
	counts->cell_count = old.cell_count ? 2 * old.cell_count : FIRST_CELLS;
	counts->cells = wm_arena_alloc(counts->arena, counts->cell_count, sizeof *counts->cells);
	for (size_t i = 0; i < old.cell_count; i++)
		if (old.cells[i].is_used)
			*cell_of(counts, old.cells[i].key) = old.cells[i];
}

uint64_t *wm_key_counts_at(struct wm_key_counts *counts, uint64_t key)
{
	if (2 * (counts->count + 1) > counts->cell_count)
		grow(counts);
	struct wm_key_count *cell = cell_of(counts, key);
	if (!cell->is_used) {
		*cell = (struct wm_key_count){.key = key, .is_used = true};
		counts->count++;
	}
	return &cell->number;
}

uint64_t *wm_key_counts_find(const struct wm_key_counts *counts, uint64_t key)
{
	struct wm_key_count *cell = counts->cell_count ? cell_of(counts, key) : NULL;
	return cell && cell->is_used ? &cell->number : NULL;
}
