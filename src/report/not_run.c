/* Departures become rows; the listing shows each path and how its nearest neighbour goes on. */
#include "report/not_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/path_name.h"
#include "profile/path_find.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_json.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/text.h"

/* So many paths are listed one by one; of more, one for each departure. */
enum { LISTED = 1000, MAX_DEPARTURES = 100000, FORM_WIDE = 70 };

static const struct wm_profile_path *path_of(const struct wm_profile_function *function, uint64_t id)
{
	size_t low = 0, high = function->path_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (function->paths[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return &function->paths[low];
}

/* The hottest path with the live prefix that ran, complete ones first; and how often all of them
 * did. */
static void find_nearest(const struct wm_path_space *space,
	const struct wm_profile_function *function, struct wm_not_run_row *row)
{
	size_t at, count = wm_path_space_ran_among(
			   space, row->departure.live_first, row->departure.live_ids, &at);
	for (size_t i = at; i < at + count; i++) {
		const struct wm_profile_path *path = path_of(function, space->ran[i]);
		const struct wm_profile_path *best = row->nearest;
		row->reached += path->count;
		if (!best || (best->partial && !path->partial) ||
			(best->partial == path->partial && path->count > best->count))
			row->nearest = path;
	}
	if (row->departure.block == WM_NONE)
		row->nearest = NULL;
}

static int compare_rows(const void *left, const void *right)
{
	const struct wm_not_run_row *a = left, *b = right;
	bool starts[] = {a->departure.block == WM_NONE, b->departure.block == WM_NONE};
	if (starts[0] != starts[1])
		return starts[0] ? 1 : -1;
	if (a->reached != b->reached)
		return a->reached > b->reached ? -1 : 1;
	return (a->path.id > b->path.id) - (a->path.id < b->path.id);
}

static void add_row(struct wm_arena *arena, const struct wm_path_space *space,
	const struct wm_profile_function *function, const struct wm_departure *departure,
	uint64_t id, uint64_t others, struct wm_not_run *result)
{
	struct wm_not_run_row *row = &result->rows[result->count++];
	*row = (struct wm_not_run_row){.departure = *departure, .others = others};
	wm_path_decode(arena, function->function, &space->paths, id, &row->path);
	find_nearest(space, function, row);
}

static void list_each(struct wm_arena *arena, const struct wm_path_space *space,
	const struct wm_profile_function *function, const struct wm_departures *departures,
	struct wm_not_run *result)
{
	uint64_t ids[LISTED];
	for (size_t i = 0; i < departures->count; i++) {
		size_t count = wm_path_space_list(space, &departures->list[i], ids, LISTED);
		for (size_t k = 0; k < count; k++)
			add_row(arena, space, function, &departures->list[i], ids[k], 0, result);
	}
}

int wm_not_run_make(struct wm_arena *arena, const struct wm_profile_function *function,
	struct wm_not_run *result, struct wm_error *error)
{
	struct wm_path_space space;
	int status = wm_path_space_of_profile(arena, function, &space, error);
	if (status < 0)
		return status;
	struct wm_departures departures = wm_path_space_departures(&space, MAX_DEPARTURES);
	*result = (struct wm_not_run){.complete = wm_path_space_complete(&space),
		.paths = departures.paths,
		.whole = departures.whole};
	bool each = departures.whole && departures.paths <= LISTED;
	result->rows = wm_arena_alloc(
		arena, each ? LISTED : departures.count, sizeof *result->rows);
	if (each)
		list_each(arena, &space, function, &departures, result);
	for (size_t i = 0; i < departures.count && !each; i++) {
		const struct wm_departure *departure = &departures.list[i];
		uint64_t id = wm_path_space_likeliest(&space, departure, function->edge);
		add_row(arena, &space, function, departure, id, departure->count - 1, result);
	}
	if (result->count > 0)
		qsort(result->rows, result->count, sizeof *result->rows, compare_rows);
	return 0;
}

/* What is decided behind the block on the path, joined; an empty text if the path does not run
 * through it. */
static const char *decided_at(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, uint32_t block)
{
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t count;
		if (path->blocks[i] != block)
			continue;
		const struct wm_path_choice *choices =
			wm_path_choices(arena, map, &steps[i], &count);
		return count > 0 ? wm_path_choice_text(arena, map, &choices[0]) : "";
	}
	return "";
}

const char *wm_not_run_difference(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_departure *departure, const struct wm_profile_path *path,
	const struct wm_profile_path *nearest)
{
	if (departure->block == WM_NONE)
		return "";
	const char *other = decided_at(arena, map, nearest, departure->block);
	return strcmp(other, decided_at(arena, map, path, departure->block)) == 0 ? "" : other;
}

/* The path, and below it the nearest one. */
static const char *form_of(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_not_run_row *row, const char *stem)
{
	const struct wm_profile_path *path = &row->path;
	const char *form = wm_path_form(arena, map, &path, 1, "\n"), *difference;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	fputs(form, out);
	if (row->others > 0)
		fprintf(out, "\nand %s other path%s that start%s so",
			wm_text_count(row->others).text, row->others == 1 ? "" : "s",
			row->others == 1 ? "s" : "");
	if (row->departure.block == WM_NONE) {
		fputs("\nno path that starts there ran", out);
	} else if (row->nearest) {
		difference =
			wm_not_run_difference(arena, map, &row->departure, path, row->nearest);
		fprintf(out, "\nnearest: %s%" PRIu64 "%s%s", stem, row->nearest->id,
			difference[0] ? ", with " : "", difference);
	}
	fclose(out);
	const char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}

static void print_heading(const struct wm_profile_function *function,
	const struct wm_not_run *result, const char *stem, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_place place = wm_place_of_function(function->function);
	fputs(wm_text_clean(&arena, wm_text_name(&arena, function->function->name)), out);
	if (place.file[0])
		fprintf(out, " (%s)", wm_text_clean(&arena, wm_place_text(&arena, place)));
	fprintf(out, ": %s of %s complete path%s never ran\n", wm_text_count(result->paths).text,
		wm_text_count(result->complete).text, result->complete == 1 ? "" : "s");
	if (!result->whole || result->paths > result->count)
		fprintf(out, "Each row stands for all that leave what ran at the same place\n");
	fprintf(out, "A path's name is %sID; some may be impossible\n", wm_text_clean(&arena, stem));
	wm_arena_reset(&arena);
}

void wm_not_run_print(const struct wm_profile_function *function, const struct wm_not_run *result,
	const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "came so far", .right = true},
		{.title = "id", .right = true}, {.title = "path that never ran"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 3};
	struct wm_path_map map = wm_path_map_make(&arena, function, request->sources);
	const char *stem = wm_short_names_stem(&arena, request->names, function);
	size_t shown = result->count < request->top ? result->count : request->top;
	print_heading(function, result, stem, out);
	for (size_t i = 0; i < shown; i++) {
		const struct wm_not_run_row *row = &result->rows[i];
		bool starts = row->departure.block == WM_NONE;
		wm_listing_add(&listing, "%s", wm_text_count(starts ? 0 : row->reached).text);
		wm_listing_add(&listing, "%" PRIu64, row->path.id);
		wm_listing_add_wrapped(&listing, form_of(&arena, &map, row, stem), FORM_WIDE, 0);
	}
	if (shown > 0) {
		fputc('\n', out);
		wm_listing_print(&listing, out, request->colour);
		wm_listing_print_rest(out, request->colour, result->count - shown);
	}
	wm_path_view_note_source(request->sources, function->function);
	wm_arena_reset(&arena);
}

static void write_row(struct wm_json *json, const struct wm_profile_function *function,
	const struct wm_path_map *map, const struct wm_not_run_row *row)
{
	struct wm_arena arena = {0};
	wm_json_begin_object(json, NULL);
	wm_path_json_steps_members(json, &arena, function, map, &row->path);
	wm_json_number(json, "came_so_far", row->departure.block == WM_NONE ? 0 : row->reached);
	wm_json_number(json, "others", row->others);
	if (row->nearest) {
		wm_json_begin_object(json, "nearest");
		wm_path_json_steps_members(json, &arena, function, map, row->nearest);
		wm_json_number(json, "count", row->nearest->count);
		wm_json_end_object(json);
	} else {
		wm_json_null(json, "nearest");
	}
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_not_run_json(struct wm_json *json, const struct wm_profile_function *function,
	const struct wm_not_run *result, size_t top)
{
	struct wm_arena arena = {0};
	struct wm_place place = wm_place_of_function(function->function);
	struct wm_path_map map = wm_path_map_make(&arena, function, NULL);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", function->function->name);
	wm_json_text(json, "display_name", wm_text_name(&arena, function->function->name));
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	wm_json_number(json, "complete_paths", result->complete);
	wm_json_number(json, "paths_not_run", result->paths);
	wm_json_begin_array(json, "paths");
	for (size_t i = 0; i < result->count && i < top; i++)
		write_row(json, function, &map, &result->rows[i]);
	wm_json_end_array(json);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}
