/* Comparisons as listings and as JSON. */
#include "report/diff_view.h"

#include <inttypes.h>
#include <string.h>

#include "names/path_name.h"
#include "profile/path_selection.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/listing.h"
#include "report/text.h"

/* Characters of a name and of a line of source, and lines that a path gets. */
enum { NAME_WIDE = 40, FORM_WIDE = 86, FORM_ROWS = 12 };

/* For programs. */
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

/* The text of the old build may well have changed: nobody looks for its lines there. */
static void note_source(
	const struct wm_view_request *request, const struct wm_profile_function *after)
{
	if (after)
		wm_path_view_note_source(request->sources, after->function);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* In words what became of a path, and how often it ran. */
static void put_path_change(
	const struct wm_path_diff *diff, const struct wm_diff_row *row, FILE *out)
{
	uint64_t old = row->before.path ? row->before.path->count : 0;
	uint64_t new = row->after.path ? row->after.path->count : 0;
	if (row->change == WM_PATH_APPEARED)
		fprintf(out, "new, ran %s time%s", wm_text_count(new).text, plural(new));
	else if (row->change == WM_PATH_VANISHED)
		fprintf(out, "gone, ran %s time%s before", wm_text_count(old).text, plural(old));
	else
		fprintf(out, "%s, %s -> %s times",
			diff->scaled ? row->after.share > row->before.share ? "a larger share"
									    : "a smaller share"
			: new > old  ? "more often"
				     : "less often",
			wm_text_count(old).text, wm_text_count(new).text);
}

/* The path's lines, below its row. */
static void print_form(struct wm_arena *arena, const char *form, FILE *out)
{
	for (size_t row = 0; *form && row < FORM_ROWS; row++) {
		size_t bytes = strcspn(form, "\n");
		char *line = wm_arena_copy_text(arena, form);
		line[bytes < FORM_WIDE ? bytes : FORM_WIDE] = '\0';
		fprintf(out, "        %s%s\n", line, bytes > FORM_WIDE ? "..." : "");
		form += bytes + (form[bytes] != '\0');
	}
}

static void print_path(struct wm_arena *arena, const struct wm_path_diff *diff,
	const struct wm_diff_row *row, const struct wm_view_request *request, FILE *out)
{
	const char *name = wm_text_end(arena, short_name(arena, request, row), NAME_WIDE);
	bool is_text = diff->same_build || present(row) == &row->after;
	struct wm_sources *of_side = is_text ? request->sources : NULL;
	fprintf(out, "    %-*s %6.1f%% %6.1f%%  ", NAME_WIDE, wm_text_clean(arena, name),
		100 * row->before.share, 100 * row->after.share);
	put_path_change(diff, row, out);
	fputc('\n', out);
	print_form(arena, path_form(arena, present(row), of_side, "\n"), out);
}

/* In words what became of a function. */
static void put_function_change(const struct wm_diff_group *group, FILE *out)
{
	static const char *const words[] = {
		[WM_PATH_APPEARED] = "new", [WM_PATH_VANISHED] = "gone", [WM_PATH_MOVED] = "moved"};
	const struct wm_profile_function *old = group->before.function,
					 *new = group->after.function;
	bool follows = false;
	for (int i = 0; !group->total && i < WM_PATH_CHANGES; i++) {
		if (group->changes[i])
			fprintf(out, "%s%s path%s %s", follows ? ", " : "",
				wm_text_count(group->changes[i]).text, plural(group->changes[i]),
				words[i]);
		follows |= group->changes[i] > 0;
	}
	if (!group->total)
		return;
	if (!old || !new)
		fprintf(out, "%s, called %s time%s", old ? "gone" : "new",
			wm_text_count(old ? old->calls : new->calls).text,
			plural(old ? old->calls : new->calls));
	else
		fprintf(out, "%s%s -> %s calls",
			group->total->change == WM_FUNCTION_RESHAPED ? "changed code, " : "",
			wm_text_count(old->calls).text, wm_text_count(new->calls).text);
}

static void print_group(struct wm_arena *arena, const struct wm_path_diff *diff,
	const struct wm_diff_group *group, const struct wm_view_request *request, size_t max_paths,
	FILE *out)
{
	const struct wm_profile_function *function =
		group->after.function ? group->after.function : group->before.function;
	const char *name =
		wm_text_clean(arena, wm_text_short_name(arena, function->function->name));
	fprintf(out, "  %s%-*s%s %6.1f%% %6.1f%%  ", wm_paint(request->colour, WM_PAINT_TITLE),
		NAME_WIDE + 2, wm_text_end(arena, name, NAME_WIDE + 2),
		wm_paint(request->colour, WM_PAINT_PLAIN), 100 * group->before.share,
		100 * group->after.share);
	put_function_change(group, out);
	fputc('\n', out);
	for (size_t i = 0; i < group->path_count && i < max_paths; i++)
		print_path(arena, diff, group->paths[i], request, out);
	if (group->path_count > max_paths)
		fprintf(out, "    %s more; --select='function:%s' shows only these\n",
			wm_text_count(group->path_count - max_paths).text, name);
	note_source(request, group->after.function);
}

/* Of many functions only the first paths each. */
static void print_groups(struct wm_arena *arena, const struct wm_path_diff *diff,
	const struct wm_view_request *request, FILE *out)
{
	enum { FEW_PATHS = 4 };
	size_t shown = diff->group_count < request->top ? diff->group_count : request->top;
	size_t max_paths =
		diff->group_count == 1 || request->top < FEW_PATHS ? request->top : FEW_PATHS;
	if (shown == 0)
		return;
	wm_paint_title(out, request->colour, "What changed, as shares of each run's work");
	fprintf(out, "  %-*s %7s %7s\n", NAME_WIDE + 2, "", "old", "new");
	for (size_t i = 0; i < shown; i++)
		print_group(arena, diff, &diff->groups[i], request, max_paths, out);
	wm_listing_print_rest(out, request->colour, diff->group_count - shown);
}

/* How much more or less work the new run is. */
static void print_work(const struct wm_path_diff *diff, bool chosen, FILE *out)
{
	double before = (double)diff->before,
	       factor = before > 0 ? (double)diff->after / before : 0;
	fprintf(out, "work%s: %s -> %s instructions", chosen ? " of the whole runs" : "",
		wm_text_count(diff->before).text, wm_text_count(diff->after).text);
	if (before == 0 || diff->before == diff->after)
		fputs(diff->before == diff->after ? " (as much)\n" : "\n", out);
	else if (factor >= 2)
		fprintf(out, " (%.1f times as much)\n", factor);
	else
		fprintf(out, " (%+.1f%%)\n", 100 * (factor - 1));
	if (diff->scaled)
		fprintf(out,
			"the %s run did %.2f times as much of the same work: paths have moved only "
			"where shares have\n",
			factor > 1 ? "new" : "old", factor > 1 ? factor : 1 / factor);
}

static void print_side(
	struct wm_arena *arena, const char *title, const struct wm_profile *profile, FILE *out)
{
	const char *name = wm_place_text(arena, (struct wm_place){profile->object.path, 0});
	fprintf(out, "%s: %s, %s run%s, build-id %s\n", title, wm_text_clean(arena, name),
		wm_text_count(profile->file.runs).text, plural(profile->file.runs),
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

/* Totals of functions say nothing about their paths. */
static void print_overlap(
	const struct wm_path_diff *diff, bool by_paths, bool selective, bool chosen, FILE *out)
{
	bool mixed = by_paths && diff->compared_by_total > 0;
	bool of_paths = by_paths && (!mixed || diff->compared_paths > 0);
	bool in_part = mixed && of_paths;
	if (mixed && !of_paths)
		fputs("no function has paths that can be compared: ", out);
	fprintf(out, "%.1f%% of the work%s is %s%s\n",
		100 * (in_part ? diff->path_overlap : diff->overlap),
		in_part && (selective || chosen) ? " on paths that can be compared"
		: in_part			 ? " in functions whose paths can be compared"
		: selective			 ? " that can be compared"
						 : "",
		of_paths ? "on the same paths" : "in the same functions",
		chosen ? " of the selected ones" : "");
}

static void print_agreement(
	const struct wm_path_diff *diff, bool by_paths, bool selective, bool chosen, FILE *out)
{
	print_overlap(diff, by_paths, selective, chosen, out);
	if (by_paths && diff->compared_paths > 0)
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
	wm_path_diff_make(&arena, before, after, request->chosen, &diff);
	print_work(&diff, request->chosen, out);
	print_side(&arena, "old", before, out);
	print_side(&arena, "new", after, out);
	print_limits(&arena, before, out);
	print_limits(&arena, after, out);
	print_agreement(&diff, wm_path_view_has_paths(before) && wm_path_view_has_paths(after),
		wm_path_selection_of(before).some_functions ||
			wm_path_selection_of(after).some_functions,
		request->chosen, out);
	print_groups(&arena, &diff, request, out);
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

static bool is_shown(size_t rows, const struct wm_view_request *request)
{
	return !request->top || rows < request->top;
}

void wm_diff_view_json(const struct wm_profile *before, const struct wm_profile *after,
	const struct wm_view_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_path_diff diff;
	struct wm_json json = {.out = out};
	wm_path_diff_make(&arena, before, after, request->chosen, &diff);
	wm_json_begin_document(&json, "diff");
	write_side(&json, "old", before);
	write_side(&json, "new", after);
	wm_json_number(&json, "old_work", diff.before);
	wm_json_number(&json, "new_work", diff.after);
	wm_json_flag(&json, "scaled", diff.scaled);
	wm_json_real(&json, "overlap", diff.overlap);
	wm_json_number(&json, "same_paths", diff.same);
	wm_json_number(&json, "left_out", diff.left_out);
	wm_json_begin_array(&json, "paths");
	for (size_t i = 0; i < diff.path_count && is_shown(i, request); i++)
		write_path(&json, &diff.paths[i]);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < diff.function_count && is_shown(i, request); i++)
		write_function(&json, &diff.functions[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	wm_arena_reset(&arena);
}
