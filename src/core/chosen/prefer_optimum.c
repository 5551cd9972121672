/* The smallest range of sums, by exhaustive search over the sums themselves.
 *
 * Sums are A w: a row of A for each path, a column for each edge, and one column of ones, because a
 * shift of all sums changes no range. Integer column operations (Hermite's normal form) turn A into
 * a lower staircase H that has the same integer sums, H y. Row by row a sum is then either
 * determined by those before it, or free in one residue class. So sums, not edge values, are tried:
 * distinct ones in 0 .. range-1, for one range after the other, beginning with the number of paths.
 */
#include "core/chosen/prefer_optimum.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

struct search {
	uint32_t rows;
	uint32_t columns;
	int64_t *cell;	 /* rows x columns */
	uint32_t *order; /* rows in the order of decision; a determined one comes at once */
	uint32_t *pivot; /* by place in the order: the column that the row is free in, or WM_NONE */
	int64_t *free;	 /* by column: the number chosen for it */
	bool *taken;	 /* by sum */
	uint64_t range;
	uint64_t steps_left;
};

static int64_t *cell(const struct search *search, uint32_t row, uint32_t column)
{
	return &search->cell[(size_t)row * search->columns + column];
}

static void fill_matrix(struct search *search, struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers)
{
	uint32_t *edges = wm_arena_alloc(arena, paths->graph->vertex_count, sizeof *edges);
	for (uint32_t row = 0; row < search->rows; row++) {
		uint32_t length = wm_paths_decode(paths, numbers[row], edges);
		*cell(search, row, 0) = 1;
		for (uint32_t k = 0; k < length; k++)
			*cell(search, row, edges[k] + 1) = 1;
	}
}

/* column -= factor * other */
static void subtract(struct search *search, uint32_t column, uint32_t other, int64_t factor)
{
	for (uint32_t row = 0; row < search->rows; row++)
		*cell(search, row, column) -= factor * *cell(search, row, other);
}

static void swap_columns(struct search *search, uint32_t a, uint32_t b)
{
	for (uint32_t row = 0; row < search->rows; row++) {
		int64_t kept = *cell(search, row, a);
		*cell(search, row, a) = *cell(search, row, b);
		*cell(search, row, b) = kept;
	}
}

/* Euclid's algorithm on the row's entries from column `first` on: one of them remains, and moves
 * there. Returns false if all were zero. */
static bool clear_row(struct search *search, uint32_t row, uint32_t first)
{
	for (uint32_t column = first + 1; column < search->columns; column++) {
		while (*cell(search, row, column)) {
			subtract(search, first, column,
				*cell(search, row, first) / *cell(search, row, column));
			swap_columns(search, first, column);
		}
	}
	return first < search->columns && *cell(search, row, first) != 0;
}

static bool is_determined(const struct search *search, uint32_t row, uint32_t first)
{
	for (uint32_t column = first; column < search->columns; column++)
		if (*cell(search, row, column))
			return false;
	return true;
}

/* The next row to decide, out of those left: one that is determined, if there is any. */
static uint32_t next_row(const struct search *search, const bool *decided, uint32_t first)
{
	uint32_t next = WM_NONE;
	for (uint32_t row = 0; row < search->rows; row++) {
		if (decided[row])
			continue;
		if (is_determined(search, row, first))
			return row;
		if (next == WM_NONE)
			next = row;
	}
	return next;
}

static void make_staircase(struct search *search)
{
	bool decided[WM_PREFER_OPTIMUM_LIMIT] = {false};
	uint32_t first = 0;
	for (uint32_t place = 0; place < search->rows; place++) {
		uint32_t row = next_row(search, decided, first);
		decided[row] = true;
		search->order[place] = row;
		search->pivot[place] = clear_row(search, row, first) ? first++ : WM_NONE;
	}
}

static int64_t settled_part(const struct search *search, uint32_t place)
{
	uint32_t row = search->order[place], end = search->pivot[place];
	int64_t sum = 0;
	for (uint32_t column = 0; column < search->columns && column != end; column++)
		sum += *cell(search, row, column) * search->free[column];
	return sum;
}

static bool can_take(struct search *search, int64_t sum)
{
	if (!search->steps_left)
		return false;
	search->steps_left--;
	return sum >= 0 && (uint64_t)sum < search->range && !search->taken[sum];
}

static bool decide(struct search *search, uint32_t place);

static bool take(struct search *search, uint32_t place, int64_t sum)
{
	search->taken[sum] = true;
	bool found = decide(search, place + 1);
	search->taken[sum] = false;
	return found;
}

/* Whether the rows from this place on can have distinct sums. Mirrored sums are as good: the first
 * row need not look at the upper half. */
static bool decide(struct search *search, uint32_t place)
{
	if (place == search->rows)
		return true;
	int64_t settled = settled_part(search, place);
	uint32_t column = search->pivot[place];
	if (column == WM_NONE)
		return can_take(search, settled) && take(search, place, settled);
	int64_t unit = *cell(search, search->order[place], column);
	uint64_t end = place ? search->range : (search->range + 1) / 2;
	for (uint64_t sum = 0; sum < end; sum++) {
		int64_t wanted = (int64_t)sum - settled;
		if (wanted % unit || !can_take(search, (int64_t)sum))
			continue;
		search->free[column] = wanted / unit;
		if (take(search, place, (int64_t)sum))
			return true;
	}
	search->free[column] = 0;
	return false;
}

static struct search set_up(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count, uint64_t step_limit)
{
	struct search search = {
		.rows = count, .columns = paths->graph->edge_count + 1, .steps_left = step_limit};
	search.cell = wm_arena_alloc(arena, (size_t)search.rows * search.columns, sizeof(int64_t));
	search.order = wm_arena_alloc(arena, count, sizeof(uint32_t));
	search.pivot = wm_arena_alloc(arena, count, sizeof(uint32_t));
	search.free = wm_arena_alloc(arena, search.columns, sizeof(int64_t));
	fill_matrix(&search, arena, paths, numbers);
	make_staircase(&search);
	return search;
}

struct wm_prefer_optimum wm_prefer_optimum_find(struct wm_arena *arena,
	const struct wm_paths *paths, const uint64_t *numbers, uint32_t count, uint64_t known,
	uint64_t step_limit)
{
	if (count > WM_PREFER_OPTIMUM_LIMIT)
		return (struct wm_prefer_optimum){count, known == count};
	struct search search = set_up(arena, paths, numbers, count, step_limit);
	for (search.range = count; search.range < known; search.range++) {
		search.taken = wm_arena_alloc(arena, search.range, sizeof(bool));
		if (decide(&search, 0))
			return (struct wm_prefer_optimum){search.range, true};
		if (!search.steps_left)
			return (struct wm_prefer_optimum){search.range, false};
	}
	return (struct wm_prefer_optimum){known, true};
}
