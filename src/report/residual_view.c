/* A table of how much was untested, then a row for each path with what the nearest tests did. */
#include "report/residual_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/path_name.h"
#include "profile/path_find.h"
#include "report/departures_view.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/not_run.h"
#include "report/paint.h"
#include "report/path_json.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/text.h"

enum { FORM_WIDE = 62 };

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_sides(const struct wm_residual_view *view, FILE *out)
{
	const struct wm_ran_paths *tests = view->sides->tests, *field = view->sides->field;
	fprintf(out, "%s: %s set%s of tests", view->program, wm_text_count(tests->samples).text,
		plural(tests->samples));
	if (tests->runs > 0)
		fprintf(out, " (%s run%s)", wm_text_count(tests->runs).text, plural(tests->runs));
	fprintf(out, " against %s run%s in the field, on %s machine%s\n",
		wm_text_count(field->runs).text, plural(field->runs),
		wm_text_count(field->machines).text, plural(field->machines));
	if (view->residual->changed > 0)
		fprintf(out,
			"The code of %s function%s has changed since the tests: none of its paths "
			"counts as tested\n",
			wm_text_count(view->residual->changed).text,
			plural(view->residual->changed));
	if (tests->incomplete || field->incomplete)
		fprintf(out, "Counts were lost in a run: this is incomplete\n");
	if (view->residual->watched > 0)
		fprintf(out,
			"In %s function%s only departures from tested paths were watched; the "
			"table is of the other %s\n",
			wm_text_count(view->residual->watched).text,
			plural(view->residual->watched),
			wm_text_count(view->residual->function_count - view->residual->watched)
				.text);
	if (view->residual->accepted > 0)
		fprintf(out, "%s accepted path%s left out\n",
			wm_text_count(view->residual->accepted).text,
			view->residual->accepted == 1 ? " is" : "s are");
}

static void add_amount(
	struct wm_listing *listing, const char *what, uint64_t field, uint64_t untested)
{
	wm_listing_add(listing, "%s", what);
	wm_listing_add(listing, "%s", wm_text_count(field).text);
	wm_listing_add(listing, "%s", wm_text_count(untested).text);
	wm_listing_add(listing, "%s", wm_text_share(untested, field).text);
}

/* The columns of the thesis's table 3.1. */
static void print_amounts(const struct wm_residual_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = ""}, {.title = "field", .right = true},
		{.title = "untested", .right = true}, {.title = "share", .right = true},
		{.title = "functions", .right = true}};
	struct wm_arena arena = {0};
	const struct wm_residual *result = view->residual;
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	add_amount(&listing, "lines", result->lines, result->untested_lines);
	wm_listing_add(&listing, "%s", "");
	add_amount(&listing, "edges", result->edges, result->untested_edges);
	wm_listing_add(&listing, "%s", wm_text_count(result->functions_with_edges).text);
	add_amount(&listing, "paths", result->paths, result->untested);
	wm_listing_add(&listing, "%s", wm_text_count(result->functions_with_paths).text);
	add_amount(
		&listing, "executions of paths", result->executions, result->untested_executions);
	wm_listing_add(&listing, "%s", "");
	fputc('\n', out);
	wm_listing_print(&listing, out, view->colour);
	if (result->untested > 0)
		fprintf(out,
			"  %s of the untested paths (%s) %s in functions without an untested "
			"edge,\n"
			"  %s (%s) without one on the path itself\n",
			wm_text_count(result->hidden_by_function).text,
			wm_text_share(result->hidden_by_function, result->untested).text,
			result->hidden_by_function == 1 ? "is" : "are",
			wm_text_count(result->hidden_by_path).text,
			wm_text_share(result->hidden_by_path, result->untested).text);
	if (result->kinds[WM_RESIDUAL_UNCERTAIN] > 0)
		fprintf(out,
			"  %s more may not have run: at most %s of all counts are false, because "
			"threads were killed\n",
			wm_text_count(result->kinds[WM_RESIDUAL_UNCERTAIN]).text,
			wm_text_count(view->sides->field->cut_short).text);
	wm_arena_reset(&arena);
}

static void put_labels(FILE *out, const struct wm_ran_paths *tests, const uint32_t *labels)
{
	for (size_t i = 0; i < WM_RAN_LABELS && labels[i] != WM_NONE; i++)
		fprintf(out, "%s%s", i > 0 ? ", " : "", tests->labels[labels[i]]);
}

static struct wm_profile_path decode_nearest(
	struct wm_arena *arena, const struct wm_residual_row *row)
{
	struct wm_profile_path path;
	wm_path_decode(arena, row->function->function->function, &row->function->space.paths,
		row->nearest->id, &path);
	return path;
}

/* Tests that went the same way at the departure, on other routes; NULL: none, or no edge of the
 * function is meant. */
static const uint32_t *labels_at_departure(const struct wm_residual_row *row)
{
	const struct wm_paths *paths = &row->function->space.paths;
	uint32_t edge = row->departs ? paths->origin[row->departure.edge] : WM_NONE;
	if (!row->departs || row->departure.block == WM_NONE ||
		edge >= row->function->function->function->edge_count ||
		row->function->edge_labels[edge][0] == WM_NONE)
		return NULL;
	return row->function->edge_labels[edge];
}

/* The path and, below it, what the tests did instead. */
static const char *form_of(struct wm_arena *arena, const struct wm_residual_view *view,
	const struct wm_path_map *map, const struct wm_residual_row *row)
{
	const struct wm_ran_paths *tests = view->sides->tests;
	const struct wm_profile_path *path = &row->path;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	fprintf(out, "%s#%" PRIu64 "\n",
		wm_text_short_name(arena, row->function->function->function->name), path->id);
	fputs(wm_path_form(arena, map, &path, 1, "\n"), out);
	if (row->nearest) {
		struct wm_profile_path nearest = decode_nearest(arena, row);
		const char *difference =
			wm_not_run_difference(arena, map, &row->departure, path, &nearest);
		fputs("\nas ", out);
		put_labels(out, tests, row->labels);
		fprintf(out, "%s%s", difference[0] ? ", but with " : "", difference);
		if (labels_at_departure(row)) {
			fputs("; the other way: ", out);
			put_labels(out, tests, labels_at_departure(row));
		}
	} else if (row->departs && row->departure.block == WM_NONE) {
		fputs("\nno tested path starts there", out);
	}
	fclose(out);
	const char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}

static void print_rows(const struct wm_residual_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "machines", .right = true},
		{.title = "runs", .right = true}, {.title = "count", .right = true},
		{.title = "kind"}, {.title = "path"}};
	struct wm_arena arena = {0};
	const struct wm_residual *result = view->residual;
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	size_t shown = 0, left_out = 0;
	for (size_t i = 0; i < result->row_count; i++) {
		const struct wm_residual_row *row = &result->rows[i];
		const struct wm_profile_function *function = row->function->function;
		struct wm_arena scratch = {0};
		if (!view->kinds[row->kind])
			continue;
		if (view->top > 0 && shown == view->top) {
			left_out++;
			continue;
		}
		shown++;
		struct wm_path_map map = wm_path_map_make(&scratch, function, view->sources);
		wm_listing_add(&listing, "%s", wm_text_count(row->ran->machines).text);
		wm_listing_add(&listing, "%s", wm_text_count(row->ran->samples).text);
		wm_listing_add(&listing, "%s", wm_text_count(row->ran->count).text);
		wm_listing_add(&listing, "%s", wm_residual_kind_words[row->kind]);
		wm_listing_add_wrapped(&listing, form_of(&scratch, view, &map, row), FORM_WIDE, 0);
		wm_path_view_note_source(view->sources, function->function);
		wm_arena_reset(&scratch);
	}
	if (shown == 0)
		return;
	wm_paint_title(out, view->colour, "Untested paths, by machines, runs and count");
	wm_listing_print(&listing, out, view->colour);
	wm_listing_print_rest(out, view->colour, left_out);
	wm_arena_reset(&arena);
}

void wm_residual_view_print(const struct wm_residual_view *view, FILE *out)
{
	print_sides(view, out);
	print_amounts(view, out);
	print_rows(view, out);
	wm_departures_view_print(view, out);
}

static void write_side(struct wm_json *json, const char *key, const struct wm_ran_paths *ran)
{
	wm_json_begin_object(json, key);
	wm_json_number(json, "samples", ran->samples);
	wm_json_number(json, "runs", ran->runs);
	wm_json_number(json, "machines", ran->machines);
	wm_json_number(json, "cut_short", ran->cut_short);
	wm_json_flag(json, "incomplete", ran->incomplete);
	wm_json_end_object(json);
}

static void write_labels(struct wm_json *json, const char *key, const struct wm_ran_paths *tests,
	const uint32_t *labels)
{
	wm_json_begin_array(json, key);
	for (size_t i = 0; labels && i < WM_RAN_LABELS && labels[i] != WM_NONE; i++)
		wm_json_text(json, NULL, tests->labels[labels[i]]);
	wm_json_end_array(json);
}

static void write_totals(struct wm_json *json, const struct wm_residual *result)
{
	const struct {
		const char *key;
		uint64_t number;
	} totals[] = {{"functions", result->function_count - result->watched},
		{"watched_functions", result->watched}, {"changed_functions", result->changed},
		{"lines", result->lines}, {"untested_lines", result->untested_lines},
		{"edges", result->edges}, {"untested_edges", result->untested_edges},
		{"functions_with_untested_edges", result->functions_with_edges},
		{"paths", result->paths}, {"untested_paths", result->untested},
		{"functions_with_untested_paths", result->functions_with_paths},
		{"executions", result->executions},
		{"untested_executions", result->untested_executions},
		{"in_functions_without_untested_edges", result->hidden_by_function},
		{"without_untested_edge_on_path", result->hidden_by_path},
		{"accepted", result->accepted}};
	wm_json_begin_object(json, "totals");
	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
		wm_json_number(json, totals[i].key, totals[i].number);
	wm_json_end_object(json);
	wm_json_begin_object(json, "kinds");
	for (size_t i = 0; i < WM_RESIDUAL_KINDS; i++)
		wm_json_number(json, wm_residual_kind_words[i], result->kinds[i]);
	wm_json_end_object(json);
}

static void write_departure(struct wm_json *json, struct wm_arena *arena,
	const struct wm_residual_view *view, const struct wm_path_map *map,
	const struct wm_residual_row *row)
{
	struct wm_profile_path nearest;
	if (!row->departs) {
		wm_json_null(json, "departure");
		return;
	}
	wm_json_begin_object(json, "departure");
	if (row->departure.block == WM_NONE)
		wm_json_null(json, "block");
	else
		wm_json_number(json, "block", row->departure.block);
	write_labels(json, "tests_so_far", view->sides->tests, row->labels);
	write_labels(json, "tests_that_went_there", view->sides->tests, labels_at_departure(row));
	if (row->nearest) {
		nearest = decode_nearest(arena, row);
		wm_json_begin_object(json, "nearest");
		wm_path_json_steps_members(json, arena, row->function->function, map, &nearest);
		wm_json_end_object(json);
	} else {
		wm_json_null(json, "nearest");
	}
	wm_json_end_object(json);
}

/* Made once for each function: many rows may be of one. */
struct maps {
	struct wm_arena arena;
	const struct wm_residual *residual;
	struct wm_path_map **list; /* by function of the comparison; NULL: not made yet */
};

static const struct wm_path_map *map_of(struct maps *maps, const struct wm_residual_row *row)
{
	struct wm_path_map **map = &maps->list[row->function - maps->residual->functions];
	if (!*map) {
		*map = wm_arena_alloc(&maps->arena, 1, sizeof **map);
		**map = wm_path_map_make(&maps->arena, row->function->function, NULL);
	}
	return *map;
}

static void write_row(struct wm_json *json, const struct wm_residual_view *view, struct maps *maps,
	const struct wm_residual_row *row)
{
	struct wm_arena arena = {0};
	const struct wm_profile_function *function = row->function->function;
	const struct wm_path_map *map = map_of(maps, row);
	struct wm_place place = wm_place_of_function(function->function);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", function->function->name);
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	wm_json_text(json, "kind", wm_residual_kind_words[row->kind]);
	wm_json_number(json, "count", row->ran->count);
	wm_json_number(json, "runs", row->ran->samples);
	wm_json_number(json, "machines", row->ran->machines);
	wm_json_flag(json, "partial", row->ran->partial);
	wm_path_json_steps_members(json, &arena, function, map, &row->path);
	write_departure(json, &arena, view, map, row);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_residual_view_json(const struct wm_residual_view *view, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_residual *result = view->residual;
	struct maps maps = {.residual = result};
	size_t shown = 0;
	maps.list = wm_arena_alloc(&maps.arena, result->function_count, sizeof *maps.list);
	wm_json_begin_document(&json, "residual");
	wm_json_text(&json, "program", view->program);
	write_side(&json, "tests", view->sides->tests);
	write_side(&json, "field", view->sides->field);
	write_totals(&json, result);
	wm_json_begin_array(&json, "untested");
	for (size_t i = 0; i < result->row_count; i++) {
		if (!view->kinds[result->rows[i].kind] || (view->top > 0 && shown == view->top))
			continue;
		write_row(&json, view, &maps, &result->rows[i]);
		shown++;
	}
	wm_json_end_array(&json);
	wm_departures_view_json(view, &json);
	wm_json_end_object(&json);
	wm_arena_reset(&maps.arena);
}
