/* Comparisons as listings and as JSON. */
#include "report/diff_view.h"

#include <inttypes.h>

#include "names/path_name.h"
#include "profile/path_selection.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/listing.h"
#include "report/text.h"

enum { FORM_WIDE = 44, FORM_ROWS = 12 };

static const char *const path_changes[] = {[WM_PATH_APPEARED] = "appeared",
	[WM_PATH_VANISHED] = "vanished",
	[WM_PATH_MOVED] = "moved"};

static const char *const function_changes[] = {[WM_FUNCTION_NEW] = "new",
	[WM_FUNCTION_GONE] = "gone",
	[WM_FUNCTION_RESHAPED] = "reshaped",
	[WM_FUNCTION_COUNTED] = "moved"};

/* The side that has the function or path of the row: the new one, if both do. */
static const struct wm_diff_side *present(const struct wm_diff_row *row)
{
	bool new = row->before.path ? row->after.path != NULL : row->after.function != NULL;
	return new ? &row->after : &row->before;
}

/* For programs: it holds across builds. */
static char *path_name(struct wm_arena *arena, const struct wm_diff_side *side)
{
	const struct wm_function *function = side->function->function;
	uint64_t id = side->path->id;
	return wm_path_name_text(arena,
		&(struct wm_path_name){function->name, wm_path_cfg_hash(function), 1, &id, false});
}

static const char *short_name(struct wm_arena *arena, const struct wm_view_request *request,
	const struct wm_diff_row *row)
{
	const struct wm_diff_side *side = present(row);
	return wm_short_names_path(arena, side == &row->after ? request->names : request->old_names,
		side->function, &side->path->id, 1);
}

static char *path_form(struct wm_arena *arena, const struct wm_diff_side *side,
	struct wm_sources *sources, const char *separator)
{
	struct wm_arena scratch = {0};
	struct wm_path_map map = wm_path_map_make(&scratch, side->function, sources);
	char *form =
		wm_arena_copy_text(arena, wm_path_form(&scratch, &map, &side->path, 1, separator));
	wm_arena_reset(&scratch);
	return form;
}

static void add_shares(struct wm_listing *listing, const struct wm_diff_row *row)
{
	wm_listing_add(
		listing, "%.1f%% -> %.1f%%", 100 * row->before.share, 100 * row->after.share);
}

/* The text of the old build may well have changed: nobody looks for its lines. */
static void add_path(struct wm_listing *listing, const struct wm_view_request *request,
	const struct wm_diff_row *row)
{
	const struct wm_profile_path *old = row->before.path, *new = row->after.path;
	wm_listing_add(listing, "%s", path_changes[row->change]);
	add_shares(listing, row);
	wm_listing_add(listing, "%s -> %s", wm_text_count(old ? old->count : 0).text,
		wm_text_count(new ? new->count : 0).text);
	wm_listing_add(listing, "%s",
		wm_text_end(listing->arena, short_name(listing->arena, request, row), FORM_WIDE));
	for (size_t i = 1; i < listing->column_count; i++)
		wm_listing_add(listing, "%s", "");
	struct wm_sources *of_side = present(row) == &row->after ? request->sources : NULL;
	const char *form = path_form(listing->arena, present(row), of_side, "\n");
	wm_listing_add_wrapped(listing, form, FORM_WIDE, FORM_ROWS);
}

static void note_source(const struct wm_view_request *request, const struct wm_diff_row *row)
{
	if (row->after.function)
		wm_path_view_note_source(request->sources, row->after.function->function);
}

static void add_function(struct wm_listing *listing, const struct wm_diff_row *row)
{
	const struct wm_profile_function *old = row->before.function, *new = row->after.function;
	const struct wm_function *function = present(row)->function->function;
	wm_listing_add(listing, "%s", function_changes[row->change]);
	add_shares(listing, row);
	wm_listing_add(listing, "%s -> %s", wm_text_count(old ? old->calls : 0).text,
		wm_text_count(new ? new->calls : 0).text);
	wm_listing_add(listing, "%s", wm_text_name(listing->arena, function->name));
	wm_listing_add(
		listing, "%s", wm_place_text(listing->arena, wm_place_of_function(function)));
}

static void print_paths(struct wm_arena *arena, const struct wm_path_diff *diff,
	const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "path"},
		{.title = "share", .right = true}, {.title = "count", .right = true},
		{.title = "name"}};
	struct wm_listing listing = {.arena = arena, .columns = columns, .column_count = 4};
	size_t shown = diff->path_count < request->top ? diff->path_count : request->top;
	if (diff->path_count == 0)
		return;
	for (size_t i = 0; i < shown; i++) {
		add_path(&listing, request, &diff->paths[i]);
		note_source(request, &diff->paths[i]);
	}
	wm_paint_title(out, request->colour, "Paths, by how far their share moved");
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, diff->path_count - shown);
}

static void print_functions(struct wm_arena *arena, const struct wm_path_diff *diff,
	const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "function"},
		{.title = "share", .right = true}, {.title = "calls", .right = true},
		{.title = "name", .widest = 32},
		{.title = "source", .widest = 24, .keep_end = true}};
	struct wm_listing listing = {.arena = arena, .columns = columns, .column_count = 5};
	size_t shown = diff->function_count < request->top ? diff->function_count : request->top;
	if (diff->function_count == 0)
		return;
	for (size_t i = 0; i < shown; i++) {
		add_function(&listing, &diff->functions[i]);
		note_source(request, &diff->functions[i]);
	}
	wm_paint_title(out, request->colour,
		"Functions whose paths cannot be compared, by how far their share moved");
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, diff->function_count - shown);
}

static void print_side(
	struct wm_arena *arena, const char *title, const struct wm_profile *profile, FILE *out)
{
	const char *name = wm_place_text(arena, (struct wm_place){profile->object.path, 0});
	fprintf(out, "%s: %s, %s run%s, %s instructions, build-id %s\n", title,
		wm_text_clean(arena, name), wm_text_count(profile->file.runs).text,
		profile->file.runs == 1 ? "" : "s", wm_text_count(profile->instructions).text,
		wm_build_id_text(&profile->file.build_id).text);
}

/* Says what of this profile cannot be compared path by path. */
static void print_limits(struct wm_arena *arena, const struct wm_profile *profile, FILE *out)
{
	const char *file = wm_text_clean(arena, profile->file.path);
	struct wm_path_selection selection = wm_path_selection_of(profile);
	if (selection.some_functions)
		fprintf(out, "the build of %s counts chosen functions only\n", file);
	if (selection.selected > 0)
		fprintf(out, "in %s function%s of %s only selected paths were counted\n",
			wm_text_count(selection.selected).text, selection.selected == 1 ? "" : "s",
			file);
	if (!wm_path_view_has_paths(profile))
		fprintf(out,
			"paths were not counted in %s: functions are compared by their totals\n",
			file);
}

static void print_agreement(
	const struct wm_path_diff *diff, bool by_paths, bool selective, FILE *out)
{
	fprintf(out, "%.1f%% of the work%s is %s\n", 100 * diff->overlap,
		selective ? " that can be compared" : "",
		by_paths ? "on the same paths" : "in the same functions");
	if (by_paths)
		fprintf(out, "%s path%s appeared, %s vanished, %s moved, %s ran as before\n",
			wm_text_count(diff->changes[WM_PATH_APPEARED]).text,
			diff->changes[WM_PATH_APPEARED] == 1 ? "" : "s",
			wm_text_count(diff->changes[WM_PATH_VANISHED]).text,
			wm_text_count(diff->changes[WM_PATH_MOVED]).text,
			wm_text_count(diff->same).text);
	if (diff->left_out > 0)
		fprintf(out,
			"%s function%s that ran cannot be compared: not counted, or only in "
			"part, by the other build\n",
			wm_text_count(diff->left_out).text, diff->left_out == 1 ? "" : "s");
}

void wm_diff_view_print(const struct wm_profile *before, const struct wm_profile *after,
	const struct wm_view_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_path_diff diff;
	wm_path_diff_make(&arena, before, after, &diff);
	print_side(&arena, "old", before, out);
	print_side(&arena, "new", after, out);
	print_limits(&arena, before, out);
	print_limits(&arena, after, out);
	print_agreement(&diff, wm_path_view_has_paths(before) && wm_path_view_has_paths(after),
		wm_path_selection_of(before).some_functions ||
			wm_path_selection_of(after).some_functions,
		out);
	print_paths(&arena, &diff, request, out);
	print_functions(&arena, &diff, request, out);
	wm_arena_reset(&arena);
}

static void write_side(struct wm_json *json, const char *key, const struct wm_profile *profile)
{
	wm_json_begin_object(json, key);
	wm_json_text(json, "program", profile->object.path);
	wm_json_text(json, "file", profile->file.path);
	wm_json_text(json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_number(json, "runs", profile->file.runs);
	wm_json_number(json, "instructions", profile->instructions);
	wm_json_flag(json, "paths_known", wm_path_view_has_paths(profile));
	wm_json_flag(json, "some_functions", wm_path_selection_of(profile).some_functions);
	wm_json_number(json, "selected_functions", wm_path_selection_of(profile).selected);
	wm_json_end_object(json);
}

static void write_path(struct wm_json *json, const struct wm_diff_row *row)
{
	struct wm_arena arena = {0};
	const struct wm_profile_path *old = row->before.path, *new = row->after.path;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "change", path_changes[row->change]);
	wm_json_text(json, "name", path_name(&arena, present(row)));
	wm_json_text(json, "source", path_form(&arena, present(row), NULL, ", "));
	wm_json_number(json, "old_count", old ? old->count : 0);
	wm_json_number(json, "new_count", new ? new->count : 0);
	wm_json_number(json, "old_instructions", row->before.instructions);
	wm_json_number(json, "new_instructions", row->after.instructions);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

static void write_function(struct wm_json *json, const struct wm_diff_row *row)
{
	const struct wm_profile_function *old = row->before.function, *new = row->after.function;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "change", function_changes[row->change]);
	wm_json_text(json, "name", present(row)->function->function->name);
	wm_json_number(json, "old_calls", old ? old->calls : 0);
	wm_json_number(json, "new_calls", new ? new->calls : 0);
	wm_json_number(json, "old_instructions", row->before.instructions);
	wm_json_number(json, "new_instructions", row->after.instructions);
	wm_json_end_object(json);
}

void wm_diff_view_json(const struct wm_profile *before, const struct wm_profile *after, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_path_diff diff;
	struct wm_json json = {.out = out};
	wm_path_diff_make(&arena, before, after, &diff);
	wm_json_begin_object(&json, NULL);
	write_side(&json, "old", before);
	write_side(&json, "new", after);
	wm_json_real(&json, "overlap", diff.overlap);
	wm_json_number(&json, "same_paths", diff.same);
	wm_json_number(&json, "left_out", diff.left_out);
	wm_json_begin_array(&json, "paths");
	for (size_t i = 0; i < diff.path_count; i++)
		write_path(&json, &diff.paths[i]);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < diff.function_count; i++)
		write_function(&json, &diff.functions[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	wm_arena_reset(&arena);
}
