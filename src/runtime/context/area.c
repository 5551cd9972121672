/* Addresses are reserved first. Then the private half and the extent are put where they belong, and
 * what is between them is given back. Cells are taken one behind the other, so an area that changes
 * hands has all names, and a search of them finds where a record was.
 *
 * Code holds addresses of records wherever it waits. So in a child, and in another file, an area
 * gets another extent at the same address. That is a copy: it gets no more cells, so each later
 * copy of the same cells can use it again, and the file does not grow with each child. */
#define _GNU_SOURCE
#include "runtime/context/area.h"

#include <string.h>

#include "runtime/count/cell.h"
#include "runtime/count/tables.h"
#include "runtime/state.h"
#include "runtime/system.h"

enum { PIECE_BYTES = 1 << 18, FIRST_CELLS = 1 << 9, PAGE = 4096 };

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));
extern uint64_t __stop_waymark_counters[] __attribute__((weak, visibility("hidden")));

static char *piece;
static size_t piece_left;

void *wm_area_memory(size_t bytes)
{
	if (bytes > piece_left) {
		size_t size = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
		char *mapped = wm_system_map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (!mapped)
			return NULL;
		piece = mapped;
		piece_left = size;
	}
	void *taken = piece;
	piece += bytes;
	piece_left -= bytes;
	return taken;
}

static uint64_t index_home(uint64_t place, uint64_t key)
{
	return (8 * place + key) * WM_TABLE_FACTOR >> 20;
}

static int has_name(const struct wm_table_cell *cell, uint64_t place, uint64_t key)
{
	return cell->place == place && cell->key == key;
}

/* The place in the index of the first cell of this name, or where it would be. */
static uint32_t *index_place(const struct wm_area *area, uint64_t place, uint64_t key)
{
	const struct wm_table_cell *cells = wm_extent_cells(&area->extent);
	uint64_t mask = area->index_size - 1, at = index_home(place, key) & mask;
	while (area->index[at] && !has_name(&cells[area->index[at] - 1], place, key))
		at = (at + 1) & mask;
	return &area->index[at];
}

static int fill_index(struct wm_area *area)
{
	const struct wm_table_cell *cells = wm_extent_cells(&area->extent);
	area->index_size = 16;
	while (area->index_size < 2 * area->inherited)
		area->index_size *= 2;
	area->index = wm_area_memory(area->index_size * sizeof *area->index);
	if (!area->index)
		return -1;
	memset(area->index, 0, area->index_size * sizeof *area->index);
	for (uint64_t i = 0; i < area->inherited; i++) {
		uint32_t *place =
			cells[i].place ? index_place(area, cells[i].place, cells[i].key) : NULL;
		if (place && !*place)
			*place = (uint32_t)i + 1;
	}
	return 0;
}

static uint64_t count_used(const struct wm_area *area)
{
	const struct wm_table_cell *cells = wm_extent_cells(&area->extent);
	uint64_t used = area->cell_count;
	while (used && !cells[used - 1].place && !cells[used - 1].key)
		used--;
	return used;
}

/* Before the start nothing is known of the file, and a copy of the extent will take its place. */
static int claim_early(uint64_t cells, struct wm_extent *extent)
{
	uint64_t unit_bytes = wm_file_unit_bytes(
		(uint64_t)((char *)__stop_waymark_counters - (char *)__start_waymark_counters));
	*extent = (struct wm_extent){.bytes = wm_table_span(unit_bytes, cells) * unit_bytes};
	extent->header = wm_system_map(NULL, extent->bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return extent->header ? 0 : -1;
}

/* Both halves at their distance. */
static int put_in_place(struct wm_area *area)
{
	struct wm_extent *extent = &area->extent;
	uint64_t bytes = WM_CHUNK_HEADER_BYTES + area->cell_count * WM_TABLE_CELL_BYTES;
	uint64_t whole = (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	char *base = wm_system_reserve(WM_CONTEXT_DISTANCE + extent->bytes);
	if (!base)
		return -1;
	if (!wm_system_map(base, whole, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ||
		!wm_system_remap(
			extent->header, extent->bytes, extent->bytes, base + WM_CONTEXT_DISTANCE)) {
		wm_system_unmap(base, WM_CONTEXT_DISTANCE + extent->bytes);
		return -1;
	}
	if (whole < WM_CONTEXT_DISTANCE)
		wm_system_unmap(base + whole, WM_CONTEXT_DISTANCE - whole);
	extent->header = (struct wm_chunk_header *)(base + WM_CONTEXT_DISTANCE);
	area->links = base + WM_CHUNK_HEADER_BYTES;
	return 0;
}

static int claim(const struct wm_extent_wish *wish, struct wm_extent *extent)
{
	return wm_table_origin ? wm_table_claim(wish, extent) : claim_early(wish->cells, extent);
}

static uint64_t cells_to_ask_for(const struct wm_area *last, uint64_t count)
{
	uint64_t cells = last && !last->is_closed ? 2 * last->cell_count : FIRST_CELLS;
	if (cells > WM_AREA_MAX_CELLS)
		cells = WM_AREA_MAX_CELLS;
	while (cells < count)
		cells *= 2;
	return cells;
}

int wm_area_open(struct wm_area **areas, uint64_t count)
{
	struct wm_area *area = wm_area_memory(sizeof *area);
	struct wm_extent_wish wish = {
		.cells = cells_to_ask_for(*areas, count), .order = WM_TABLE_ORDERED};
	if (!area || wish.cells > WM_AREA_MAX_CELLS)
		return -1;
	*area = (struct wm_area){.next = *areas};
	if (claim(&wish, &area->extent))
		return -1;
	area->cell_count = wm_extent_cell_count(&area->extent);
	if (area->cell_count > WM_AREA_MAX_CELLS)
		area->cell_count = WM_AREA_MAX_CELLS;
	if (wm_extent_header(&area->extent)->handovers)
		area->used = area->inherited = count_used(area);
	area->any_inherited = area->used || (*areas && (*areas)->any_inherited);
	if (put_in_place(area) || (area->used && fill_index(area)))
		return -1;
	if (wm_state.paused)
		wm_extent_pause(&area->extent);
	*areas = area;
	return 0;
}

static void *half_of(const struct wm_area *area, uint64_t number)
{
	return area->links + number * WM_CONTEXT_LINK_BYTES;
}

void *wm_area_find(const struct wm_area *areas, uint64_t place, uint64_t key, uint64_t count)
{
	for (const struct wm_area *area = areas; area && area->any_inherited; area = area->next) {
		uint64_t number = area->index ? *index_place(area, place, key) : 0;
		if (number && number - 1 + count <= area->inherited)
			return half_of(area, number - 1);
	}
	return NULL;
}

void *wm_area_find_unnamed(struct wm_area *areas)
{
	for (struct wm_area *area = areas; area && area->any_inherited; area = area->next) {
		const struct wm_table_cell *cells = wm_extent_cells(&area->extent);
		while (area->spare + 1 < area->inherited) {
			uint64_t number = area->spare++;
			if (has_name(&cells[number], 0, WM_CELL_UNNAMED_ENTRY) &&
				has_name(&cells[number + 1], 0, WM_CELL_UNNAMED_FOUND))
				return half_of(area, number);
		}
	}
	return NULL;
}

void *wm_area_take(struct wm_area *areas, uint64_t count)
{
	if (!areas || areas->is_closed || areas->cell_count - areas->used < count)
		return NULL;
	areas->used += count;
	return half_of(areas, areas->used - count);
}

struct wm_table_cell *wm_area_cell(const struct wm_area *areas, const void *half)
{
	const struct wm_area *area = areas;
	while ((uint64_t)((const char *)half - area->links) >=
		area->cell_count * WM_CONTEXT_LINK_BYTES)
		area = area->next;
	return wm_extent_cells(&area->extent) +
	       ((const char *)half - area->links) / WM_CONTEXT_LINK_BYTES;
}

static void take_counts(struct wm_extent *fresh, const struct wm_area *area)
{
	struct wm_table_cell *cell = wm_extent_cells(fresh);
	const struct wm_table_cell *counted = wm_extent_cells(&area->extent);
	for (uint64_t i = 0; i < area->used; i++)
		wm_cell_add(&cell[i], counted[i].count);
}

/* The extent before is let go of only when nothing counts into it any more. */
static void replace(struct wm_area *area, struct wm_extent *fresh, int release)
{
	struct wm_extent *before = &area->extent;
	struct wm_chunk_header *kept = before->kept;
	if (release && before->number && !kept)
		kept = wm_system_remap(before->header, 0, before->bytes, NULL);
	uint64_t bytes = fresh->bytes < before->bytes ? fresh->bytes : before->bytes;
	wm_system_remap(fresh->header, fresh->bytes, bytes, before->header);
	if (release && before->number && kept)
		__atomic_store_n(&kept->state, WM_CHUNK_RELEASED, __ATOMIC_RELEASE);
	if (kept)
		wm_system_unmap(kept, before->bytes);
	fresh->header = before->header;
	fresh->bytes = bytes;
	*before = *fresh;
}

int wm_area_renew(struct wm_area *area, int with_counts, int release)
{
	struct wm_extent fresh;
	struct wm_extent_wish wish = {.cells = wm_extent_cell_count(&area->extent),
		.order = WM_TABLE_COPY,
		.like = wm_extent_cells(&area->extent),
		.like_count = area->used};
	if (wm_table_claim(&wish, &fresh))
		return -1;
	if (with_counts)
		take_counts(&fresh, area);
	replace(area, &fresh, release);
	area->is_closed = 1;
	return wm_state.paused ? wm_extent_pause(&area->extent) : 0;
}
