/* The table of Ball & Larus 1994, figure 24, and its JSON form. */
#include "cli/compare.h"

#include <stdio.h>

#include "cli/fatal.h"
#include "report/comparison.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/listing.h"
#include "report/text.h"

static const char *const json_names[] = {
	[WM_COMPARED_HEURISTIC_MAXIMUM] = "heuristic_max",
	[WM_COMPARED_HEURISTIC_MINIMUM] = "heuristic_min",
	[WM_COMPARED_EXACT_MAXIMUM] = "exact_max",
	[WM_COMPARED_EXACT_MINIMUM] = "exact_min",
	[WM_COMPARED_GOLDBERG_MAXIMUM] = "goldberg_max",
	[WM_COMPARED_BLOCKS] = "blocks",
	[WM_COMPARED_BLOCKS_VERTEX] = "blocks_vertex",
};

static const struct wm_column columns[] = {
	{.title = "program", .widest = 24},
	{.title = "functions", .right = true},
	{.title = "redundant", .right = true},
	[3 + WM_COMPARED_HEURISTIC_MAXIMUM] = {.title = "heuristic-max", .right = true},
	[3 + WM_COMPARED_HEURISTIC_MINIMUM] = {.title = "heuristic-min", .right = true},
	[3 + WM_COMPARED_EXACT_MAXIMUM] = {.title = "exact-max", .right = true},
	[3 + WM_COMPARED_EXACT_MINIMUM] = {.title = "exact-min", .right = true},
	[3 + WM_COMPARED_GOLDBERG_MAXIMUM] = {.title = "goldberg-max", .right = true},
	[3 + WM_COMPARED_BLOCKS] = {.title = "blocks", .right = true},
	[3 + WM_COMPARED_BLOCKS_VERTEX] = {.title = "blocks-vertex", .right = true},
};

static void add_reduction(struct wm_listing *listing, uint64_t redundant, uint64_t increments)
{
	if (increments == 0)
		wm_listing_add(listing, "-");
	else
		wm_listing_add(listing, "%.2f", (double)redundant / (double)increments);
}

static void print_listing(struct wm_arena *arena, const struct wm_profile *profiles,
	const struct wm_comparison *comparisons, size_t count)
{
	struct wm_listing listing = {.arena = arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	uint64_t left_out = 0;
	for (size_t i = 0; i < count; i++) {
		const struct wm_comparison *comparison = &comparisons[i];
		struct wm_place program = {profiles[i].object.path, 0};
		wm_listing_add(&listing, "%s", wm_place_text(arena, program));
		wm_listing_add(&listing, "%s", wm_text_count(comparison->functions).text);
		wm_listing_add(&listing, "%s", wm_text_count(comparison->redundant).text);
		for (unsigned k = 0; k < WM_COMPARED_COUNT; k++)
			add_reduction(&listing, comparison->redundant, comparison->increments[k]);
		left_out += comparison->left_out;
	}
	puts("Increments of a counter in every block (redundant), and by which factor counters on\n"
	     "edges outside a spanning tree reduce them: tree of maximum or minimum weight, "
	     "weights\n"
	     "guessed (heuristic, Goldberg's) or measured (exact). Of blocks only: by the "
	     "heuristic\n");
	wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
	if (left_out > 0)
		printf("  functions left out, because no counter fits on too many of their edges: "
		       "%s\n",
			wm_text_count(left_out).text);
}

static void print_json(
	const struct wm_profile *profiles, const struct wm_comparison *comparisons, size_t count)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "compare");
	wm_json_begin_array(&json, "programs");
	for (size_t i = 0; i < count; i++) {
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "program", profiles[i].object.path);
		wm_json_text(&json, "build_id", wm_build_id_text(&profiles[i].file.build_id).text);
		wm_json_number(&json, "functions", comparisons[i].functions);
		wm_json_number(&json, "left_out", comparisons[i].left_out);
		wm_json_number(&json, "redundant", comparisons[i].redundant);
		for (unsigned k = 0; k < WM_COMPARED_COUNT; k++)
			wm_json_number(&json, json_names[k], comparisons[i].increments[k]);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

void wm_compare_print(
	struct wm_arena *arena, const struct wm_profile *profiles, size_t profile_count, bool json)
{
	struct wm_comparison *comparisons =
		wm_arena_alloc(arena, profile_count, sizeof *comparisons);
	for (size_t i = 0; i < profile_count; i++) {
		struct wm_error error;
		if (wm_comparison_make(&profiles[i], &comparisons[i], &error) < 0)
			wm_fatal("plan: %s", error.text);
	}
	if (json)
		print_json(profiles, comparisons, profile_count);
	else
		print_listing(arena, profiles, comparisons, profile_count);
}
