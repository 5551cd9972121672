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

enum { BAR_CELLS = 8, NARROW_BAR_CELLS = 4, NARROW = 100, EIGHTHS = 8, MAX_COLUMNS = 8 };

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

/* What the listing has room for. */
struct shape {
	uint64_t most;	    /* instructions of the first function */
	unsigned bar_cells; /* at most */
	bool per_call;
	bool paths;
	bool objects;
};

static struct shape shape_of(const struct wm_profile *profile, size_t line)
{
	return (struct shape){.bar_cells = line < NARROW ? NARROW_BAR_CELLS : BAR_CELLS,
		.per_call = line >= NARROW,
		.paths = wm_path_view_has_paths(profile),
		.objects = profile->part_count > 1};
}

static void add_function(struct wm_listing *listing, const struct wm_profile *profile,
	const struct wm_profile_function *function, const struct shape *shape)
{
	struct wm_arena *arena = listing->arena;
	wm_listing_add(listing, "%s", wm_text_short_name(arena, function->function->name));
	wm_listing_add(
		listing, "%s", wm_place_text(arena, wm_place_of_function(function->function)));
	wm_listing_add(
		listing, "%s", bar(arena, function->instructions, shape->most, shape->bar_cells));
	wm_listing_add(
		listing, "%s", wm_text_share(function->instructions, profile->instructions).text);
	wm_listing_add(
		listing, "%s", function->block ? wm_text_count(function->calls).text : "not known");
	if (shape->per_call)
		add_per_call(listing, function);
	if (shape->paths)
		add_paths(listing, function);
	if (shape->objects)
		wm_listing_add(listing, "%s",
			function->library ? function->library
					  : wm_profile_object_name(profile->object.path));
}

static size_t choose_columns(const struct shape *shape, struct wm_column *columns)
{
	static const struct wm_column always[] = {{.title = "function", .is_name = true},
		{.title = "source", .keep_end = true, .widest = 24}, {.title = "work"},
		{.title = "", .right = true}, {.title = "calls", .right = true}};
	size_t count = sizeof always / sizeof *always;
	memcpy(columns, always, sizeof always);
	if (shape->per_call)
		columns[count++] = (struct wm_column){.title = "per call", .right = true};
	if (shape->paths)
		columns[count++] = (struct wm_column){.title = "paths run", .right = true};
	if (shape->objects)
		columns[count++] = (struct wm_column){.title = "object", .widest = 24};
	return count;
}

void wm_function_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct wm_column columns[MAX_COLUMNS];
	struct wm_arena arena = {0};
	struct shape shape = shape_of(profile, wm_terminal_width(out));
	size_t count;
	const struct wm_profile_function **sorted = sort(&arena, profile, &count);
	size_t shown = count < request->top ? count : request->top;
	shape.most = count ? sorted[0]->instructions : 0;
	struct wm_listing listing = {.arena = &arena,
		.columns = columns,
		.column_count = choose_columns(&shape, columns)};
	for (size_t i = 0; i < shown; i++)
		add_function(&listing, profile, sorted[i], &shape);
	wm_paint_title(out, request->colour, "Functions");
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	wm_arena_reset(&arena);
}
