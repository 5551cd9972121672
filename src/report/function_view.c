/* Functions by falling work. A bar is as long as the work is, compared with that of the first. */
#include "report/function_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/objects.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/terminal.h"
#include "report/text.h"

enum { BAR_CELLS = 8, NARROW_BAR_CELLS = 4, NARROW = 100, EIGHTHS = 8, COLUMNS = 6 };

/* Above these, only the magnitude of a number of paths is of interest. */
static const uint64_t MANY_PATHS = 10 * 1000 * 1000;

static int compare_functions(const void *left, const void *right)
{
	const struct wm_profile_function *a = *(const struct wm_profile_function *const *)left;
	const struct wm_profile_function *b = *(const struct wm_profile_function *const *)right;
	if (a->instructions != b->instructions)
		return a->instructions > b->instructions ? -1 : 1;
	return (a > b) - (a < b);
}

static const struct wm_profile_function **sort(
	struct wm_arena *arena, const struct wm_profile *profile, size_t *count)
{
	const struct wm_profile_function **sorted =
		wm_arena_alloc(arena, profile->function_count, sizeof *sorted);
	*count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].instructions > 0)
			sorted[(*count)++] = &profile->functions[i];
	if (*count > 0)
		qsort(sorted, *count, sizeof *sorted, compare_functions);
	return sorted;
}

static const char *bar(struct wm_arena *arena, uint64_t part, uint64_t whole, unsigned cells)
{
	static const char *const blocks[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
	double share = whole ? (double)part / (double)whole : 0;
	unsigned left = (unsigned)(share * cells * EIGHTHS + 0.5);
	char *text = wm_arena_alloc(arena, BAR_CELLS * sizeof "█" + 1, 1);
	for (left = left ? left : 1; left > 0; left -= left < EIGHTHS ? left : EIGHTHS)
		strcat(text, blocks[left < EIGHTHS ? left : EIGHTHS]);
	return text;
}

static void add_per_call(struct wm_listing *listing, const struct wm_profile_function *function)
{
	enum { SMALL = 100 };
	uint64_t calls = function->calls;
	if (!function->block || (int64_t)calls <= 0)
		wm_listing_add(listing, "-");
	else if (function->instructions / calls < SMALL && function->instructions % calls)
		wm_listing_add(listing, "%.1f", (double)function->instructions / (double)calls);
	else
		wm_listing_add(listing, "%s",
			wm_text_count((function->instructions + calls / 2) / calls).text);
}

static void add_paths(struct wm_listing *listing, const struct wm_profile_function *function)
{
	unsigned exponent = 0;
	for (uint64_t rest = function->possible_paths; rest >= 10; rest /= 10)
		exponent++;
	if (!function->paths)
		wm_listing_add(listing, "-");
	else if (function->possible_paths > MANY_PATHS)
		wm_listing_add(listing, "%s of > 10^%u", wm_text_count(function->path_count).text,
			exponent);
	else
		wm_listing_add(listing, "%s of %s", wm_text_count(function->path_count).text,
			wm_text_count(function->possible_paths).text);
}

static void add_function(struct wm_listing *listing, const struct wm_profile *profile,
	const struct wm_profile_function *function, uint64_t most, unsigned cells)
{
	wm_listing_add(listing, "%s", wm_text_short_name(listing->arena, function->function->name));
	wm_listing_add(listing, "%s",
		wm_place_text(listing->arena, wm_place_of_function(function->function)));
	wm_listing_add(listing, "%s", bar(listing->arena, function->instructions, most, cells));
	wm_listing_add(
		listing, "%s", wm_text_share(function->instructions, profile->instructions).text);
	wm_listing_add(
		listing, "%s", function->block ? wm_text_count(function->calls).text : "not known");
	add_per_call(listing, function);
	if (wm_path_view_has_paths(profile))
		add_paths(listing, function);
	if (profile->part_count > 1)
		wm_listing_add(listing, "%s",
			function->library ? function->library
					  : wm_profile_object_name(profile->object.path));
}

void wm_function_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct wm_column columns[COLUMNS + 2] = {{.title = "function", .is_name = true},
		{.title = "source", .keep_end = true, .widest = 24}, {.title = "work"},
		{.title = "", .right = true}, {.title = "calls", .right = true},
		{.title = "per call", .right = true}};
	size_t column_count = COLUMNS;
	if (wm_path_view_has_paths(profile))
		columns[column_count++] = (struct wm_column){.title = "paths run", .right = true};
	if (profile->part_count > 1)
		columns[column_count++] = (struct wm_column){.title = "object", .widest = 24};
	struct wm_arena arena = {0};
	size_t count;
	const struct wm_profile_function **sorted = sort(&arena, profile, &count);
	unsigned cells = wm_terminal_width(out) < NARROW ? NARROW_BAR_CELLS : BAR_CELLS;
	size_t shown = count < request->top ? count : request->top;
	struct wm_listing listing = {
		.arena = &arena, .columns = columns, .column_count = column_count};
	for (size_t i = 0; i < shown; i++)
		add_function(&listing, profile, sorted[i], sorted[0]->instructions, cells);
	wm_paint_title(out, request->colour, "Functions");
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	wm_arena_reset(&arena);
}
