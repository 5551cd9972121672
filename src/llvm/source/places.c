/* Branches are sorted by place. Of those at one place the condition that is written there is looked
 * for. */
#include "llvm/source/places.h"

#include <stdlib.h>

/* A branch in the code. */
struct spot {
	struct wm_source_place place;
	uint32_t region;
	bool written; /* in text that is no macro */
};

static uint32_t leave_macros(
	const struct wm_coverage_function *mapping, uint32_t file, uint32_t *line, uint32_t *column)
{
	for (uint32_t depth = 0; file && depth < mapping->file_count; depth++)
		for (uint32_t i = 0; i < mapping->region_count; i++) {
			const struct wm_coverage_region *from = &mapping->regions[i];
			if (from->kind != WM_COVERAGE_EXPANSION || from->expanded != file)
				continue;
			file = from->file;
			*line = from->line;
			*column = from->column;
			break;
		}
	return file;
}

struct wm_source_place wm_places_outermost(struct wm_text *text,
	const struct wm_coverage_function *mapping, const struct wm_coverage_region *region)
{
	uint32_t line = region->line, column = region->column;
	uint32_t file = leave_macros(mapping, region->file, &line, &column);
	return (struct wm_source_place){wm_text_file(text, mapping->files[file]), line, column};
}

/* Clang gives text in macros of system headers the place of the macro, and no length. */
static bool is_written(
	const struct wm_coverage_function *mapping, const struct wm_coverage_region *region)
{
	uint32_t line = region->line, column = region->column;
	if (line == region->last_line && column == region->last_column)
		return false;
	return leave_macros(mapping, region->file, &line, &column) == region->file;
}

static bool is_missing_counter(const struct wm_text *text, const struct wm_coverage_term *term)
{
	if (!term->known || term->plus_count != 1 || term->minus_count)
		return false;
	return term->plus[0] >= text->counter_count ||
	       text->counters[term->plus[0]].block_count == 0;
}

static bool is_zero(const struct wm_coverage_term *term)
{
	return term->known && !term->plus_count && !term->minus_count;
}

/* Conditions that are constant, or operands of sizeof, are no branches of the code. */
static bool is_in_code(const struct wm_text *text, const struct wm_coverage_region *region)
{
	return region->kind == WM_COVERAGE_BRANCH &&
	       !(is_zero(&region->term) && is_zero(&region->no)) &&
	       !is_missing_counter(text, &region->term) && !is_missing_counter(text, &region->no);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
	const struct wm_source_place *a = left, *b = right;
	if (a->file != b->file)
		return compare_numbers(a->file, b->file);
	if (a->line != b->line)
		return compare_numbers(a->line, b->line);
	return compare_numbers(a->column, b->column);
}

static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	int order = compare_places(&a->place, &b->place);
	return order ? order : compare_numbers(a->region, b->region);
}

static int compare_ends(const struct wm_coverage_region *a, const struct wm_coverage_region *b)
{
	if (a->last_line != b->last_line)
		return compare_numbers(a->last_line, b->last_line);
	return compare_numbers(a->last_column, b->last_column);
}

static bool starts_inside(
	const struct wm_coverage_region *region, const struct wm_coverage_region *whole)
{
	if (region->file != whole->file)
		return false;
	struct wm_source_place at = {0, region->line, region->column},
			       first = {0, whole->line, whole->column},
			       last = {0, whole->last_line, whole->last_column};
	return compare_places(&first, &at) < 0 && compare_places(&at, &last) < 0;
}

/* Clang has a gap behind a question mark. What is read at the place ends in front of it. */
static bool has_choice_inside(
	const struct wm_coverage_function *mapping, const struct wm_coverage_region *condition)
{
	for (uint32_t i = 0; i < mapping->region_count; i++)
		if (mapping->regions[i].kind == WM_COVERAGE_GAP &&
			starts_inside(&mapping->regions[i], condition))
			return true;
	return false;
}

/* The shortest condition that is written there: a longer one has it in front of a question mark. */
static const struct wm_coverage_region *find_written(
	const struct wm_coverage_function *mapping, const struct spot *spots, size_t count)
{
	const struct wm_coverage_region *shortest = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct wm_coverage_region *region = &mapping->regions[spots[i].region];
		if (spots[i].written && (!shortest || compare_ends(region, shortest) < 0))
			shortest = region;
	}
	return shortest && !has_choice_inside(mapping, shortest) ? shortest : NULL;
}

static void tell_apart(const struct wm_places *places, const struct spot *spots, size_t count)
{
	const struct wm_coverage_region *regions = places->mapping->regions;
	if (count == 1) {
		places->uses[spots[0].region] = WM_PLACE_OWN;
		return;
	}
	const struct wm_coverage_region *written = find_written(places->mapping, spots, count);
	for (size_t i = 0; i < count; i++)
		if (written && spots[i].written &&
			compare_ends(&regions[spots[i].region], written) == 0)
			places->uses[spots[i].region] = WM_PLACE_WRITTEN;
}

static struct spot *find_spots(const struct wm_places *places, size_t *count)
{
	const struct wm_coverage_function *mapping = places->mapping;
	struct spot *spots =
		wm_arena_alloc(places->text->arena, mapping->region_count, sizeof *spots);
	*count = 0;
	for (uint32_t i = 0; i < mapping->region_count; i++) {
		const struct wm_coverage_region *region = &mapping->regions[i];
		if (is_in_code(places->text, region))
			spots[(*count)++] =
				(struct spot){wm_places_outermost(places->text, mapping, region), i,
					is_written(mapping, region)};
	}
	if (*count > 0)
		qsort(spots, *count, sizeof *spots, compare_spots);
	return spots;
}

struct wm_places wm_places_make(struct wm_text *text, const struct wm_coverage_function *mapping)
{
	struct wm_places places = {.text = text,
		.mapping = mapping,
		.uses = wm_arena_alloc(text->arena, mapping->region_count, sizeof *places.uses)};
	const struct spot *spots = find_spots(&places, &places.branch_count);
	places.branches = wm_arena_alloc(text->arena, places.branch_count, sizeof *places.branches);
	for (size_t i = 0; i < places.branch_count; i++)
		places.branches[i] = spots[i].place;
	for (size_t i = 0, end; i < places.branch_count; i = end) {
		for (end = i + 1; end < places.branch_count; end++)
			if (compare_places(&spots[i].place, &spots[end].place) != 0)
				break;
		tell_apart(&places, spots + i, end - i);
	}
	return places;
}

bool wm_places_is_shared(const struct wm_places *places, const struct wm_source_place *place)
{
	const struct wm_source_place *found =
		places->branch_count == 0 ? NULL
					  : bsearch(place, places->branches, places->branch_count,
						    sizeof *found, compare_places);
	if (!found)
		return false;
	size_t at = (size_t)(found - places->branches);
	return (at > 0 && compare_places(place, found - 1) == 0) ||
	       (at + 1 < places->branch_count && compare_places(place, found + 1) == 0);
}
