/* Totals, then the files and functions of which most was never covered. */
#include "report/cover_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

static const char *const titles[WM_COVER_QUANTITIES] = {
	"functions", "lines", "branch outcomes", "pairs of outcomes", "paths"};

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_heading(const struct wm_cover_view *view, FILE *out)
{
	fprintf(out, "%s: %s run%s", view->program, wm_text_count(view->runs).text,
		plural(view->runs));
	if (view->ran)
		fprintf(out, " in %s profile%s", wm_text_count(view->ran->samples).text,
			plural(view->ran->samples));
	if (view->change)
		fprintf(out, ", of the lines that %s changes", view->change);
	fputc('\n', out);
	if (view->cut_short > 0)
		fprintf(out, "%s thread%s killed: what %s covered until then counts\n",
			wm_text_count(view->cut_short).text,
			view->cut_short == 1 ? " was" : "s were",
			view->cut_short == 1 ? "it" : "they");
}

static void print_unknown(const struct wm_cover *cover, FILE *out)
{
	const struct wm_cover_amount *functions = &cover->total[WM_COVER_FUNCTIONS];
	const struct wm_cover_amount *lines = &cover->total[WM_COVER_LINES];
	const struct wm_cover_amount *outcomes = &cover->total[WM_COVER_OUTCOMES];
	if (functions->unknown + lines->unknown + outcomes->unknown > 0)
		fprintf(out,
			"  %s function%s, %s line%s and %s outcome%s more cannot be told, because "
			"the optimiser\n  left no code for them; builds with --at=early know all\n",
			wm_text_count(functions->unknown).text, plural(functions->unknown),
			wm_text_count(lines->unknown).text, plural(lines->unknown),
			wm_text_count(outcomes->unknown).text, plural(outcomes->unknown));
}

static void print_chance(const struct wm_cover_view *view, FILE *out)
{
	const struct wm_cover *cover = view->cover;
	if (!view->ran || view->change)
		return;
	fprintf(out, "  paths are those of functions with up to %d; %s ran in all\n",
		WM_COVER_SMALL, wm_text_count(cover->covered_paths).text);
	if (cover->chance >= 0)
		fprintf(out,
			"  the next profile takes a path that none took with a chance of about "
			"%.1f%%, if it is like\n  the others (%s path%s ran in one of them only)\n",
			100 * cover->chance, wm_text_count(cover->single).text,
			plural(cover->single));
}

static void print_totals(const struct wm_cover_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = ""},
		{.title = "covered", .right = true}, {.title = "of", .right = true},
		{.title = "never", .right = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 4};
	bool paths = view->ran && !view->change;
	for (size_t q = 0; q < (paths ? WM_COVER_QUANTITIES : WM_COVER_PAIRS); q++) {
		const struct wm_cover_amount *amount = &view->cover->total[q];
		wm_listing_add(&listing, "%s", titles[q]);
		wm_listing_add(&listing, "%s", wm_text_count(amount->covered).text);
		wm_listing_add(&listing, "%s", wm_text_count(amount->of).text);
		wm_listing_add(&listing, "%s",
			wm_text_share(amount->of - amount->covered, amount->of).text);
	}
	wm_listing_print(&listing, out, view->colour);
	print_unknown(view->cover, out);
	print_chance(view, out);
	wm_arena_reset(&arena);
}

/* A row of files: one, or all below a folder. */
struct row {
	const char *path;
	struct wm_cover_amount amount[WM_COVER_OUTCOMES + 1];
};

static void add_amounts(struct wm_cover_amount *sum, const struct wm_cover_amount *amount)
{
	for (size_t q = 0; q <= WM_COVER_OUTCOMES; q++) {
		sum[q].of += amount[q].of;
		sum[q].covered += amount[q].covered;
		sum[q].unknown += amount[q].unknown;
	}
}

static size_t common_folder(const struct wm_cover *cover)
{
	size_t same = SIZE_MAX;
	for (size_t i = 0; i < cover->file_count; i++) {
		const char *path = cover->files[i].path, *slash = strrchr(path, '/');
		size_t length = slash ? (size_t)(slash - path) + 1 : 0;
		same = length < same ? length : same;
		while (same > 0 && (strncmp(path, cover->files[0].path, same) != 0 ||
					   path[same - 1] != '/'))
			same--;
	}
	return same;
}

static struct row *list_files(struct wm_arena *arena, const struct wm_cover *cover, size_t *count)
{
	struct row *rows = wm_arena_alloc(arena, cover->file_count, sizeof *rows);
	size_t root = common_folder(cover);
	for (*count = 0; *count < cover->file_count; ++*count) {
		const struct wm_cover_file *file = &cover->files[*count];
		rows[*count].path = file->path + root;
		add_amounts(rows[*count].amount, file->amount);
	}
	return rows;
}

/* Files are sorted by path: those of a folder stand together, but for those of folders in it. */
static struct row *list_folders(struct wm_arena *arena, const struct wm_cover *cover, size_t *count)
{
	struct row *rows = wm_arena_alloc(arena, cover->file_count, sizeof *rows);
	size_t root = common_folder(cover);
	*count = 0;
	for (size_t i = 0; i < cover->file_count; i++) {
		char *folder = wm_arena_copy_text(arena, cover->files[i].path + root);
		char *slash = strrchr(folder, '/');
		size_t at = 0;
		folder[slash ? slash - folder + 1 : 0] = '\0';
		while (at < *count && strcmp(rows[at].path, folder) != 0)
			at++;
		rows[at].path = folder;
		add_amounts(rows[at].amount, cover->files[i].amount);
		*count += at == *count;
	}
	return rows;
}

static int most_missing(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	const struct wm_cover_amount *x = &a->amount[WM_COVER_LINES], *y = &b->amount[WM_COVER_LINES];
	if (x->of - x->covered != y->of - y->covered)
		return x->of - x->covered > y->of - y->covered ? -1 : 1;
	return strcmp(a->path, b->path);
}

static void add_amount(struct wm_listing *listing, const struct wm_cover_amount *amount)
{
	wm_listing_add(listing, "%s/%s", wm_text_count(amount->covered).text,
		wm_text_count(amount->of).text);
}

static void print_rows(const struct wm_cover_view *view, const char *title, const char *column,
	struct row *rows, size_t count, FILE *out)
{
	const struct wm_column columns[] = {{.title = "lines never run", .right = true},
		{.title = "lines", .right = true}, {.title = "functions", .right = true},
		{.title = "outcomes", .right = true}, {.title = column, .keep_end = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	size_t shown = count < view->top ? count : view->top;
	if (count > 0)
		qsort(rows, count, sizeof *rows, most_missing);
	for (size_t i = 0; i < shown; i++) {
		const struct wm_cover_amount *lines = &rows[i].amount[WM_COVER_LINES];
		wm_listing_add(&listing, "%s", wm_text_count(lines->of - lines->covered).text);
		add_amount(&listing, lines);
		add_amount(&listing, &rows[i].amount[WM_COVER_FUNCTIONS]);
		add_amount(&listing, &rows[i].amount[WM_COVER_OUTCOMES]);
		wm_listing_add(&listing, "%s", rows[i].path[0] ? rows[i].path : "./");
	}
	wm_paint_title(out, view->colour, title);
	wm_listing_print(&listing, out, view->colour);
	wm_listing_print_rest(out, view->colour, count - shown);
	wm_arena_reset(&arena);
}

static int least_covered(const void *left, const void *right)
{
	const struct wm_cover_code *a = *(const struct wm_cover_code *const *)left;
	const struct wm_cover_code *b = *(const struct wm_cover_code *const *)right;
	uint64_t x = a->pairs.of - a->pairs.covered, y = b->pairs.of - b->pairs.covered;
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->function->function->name, b->function->function->name);
}

static void print_functions(const struct wm_cover_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "outcomes", .right = true},
		{.title = "pairs", .right = true}, {.title = "paths", .right = true},
		{.title = "function", .widest = 60}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 4};
	const struct wm_cover *cover = view->cover;
	const struct wm_cover_code **ran = wm_arena_alloc(&arena, cover->code_count, sizeof *ran);
	size_t count = 0;
	for (size_t i = 0; i < cover->code_count; i++)
		if (cover->code[i].ran && cover->code[i].ran->entered &&
			cover->code[i].pairs.of > cover->code[i].pairs.covered)
			ran[count++] = &cover->code[i];
	if (count == 0)
		return;
	qsort(ran, count, sizeof *ran, least_covered);
	size_t shown = count < view->top ? count : view->top;
	for (size_t i = 0; i < shown; i++) {
		const struct wm_function *function = ran[i]->function->function;
		add_amount(&listing, &ran[i]->outcomes);
		add_amount(&listing, &ran[i]->pairs);
		wm_listing_add(&listing, "%s", wm_text_count(ran[i]->covered_paths).text);
		wm_listing_add(&listing, "%s (%s)", wm_text_short_name(&arena, function->name),
			wm_place_text(&arena, wm_place_of_function(function)));
	}
	wm_paint_title(out, view->colour, "Functions that ran, by pairs of outcomes that never did");
	wm_listing_print(&listing, out, view->colour);
	wm_listing_print_rest(out, view->colour, count - shown);
	fputs("  `waymark paths --not-run FUNCTION` lists the paths that never ran\n", out);
	wm_arena_reset(&arena);
}

static void print_tests(const struct wm_cover_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "lines", .right = true},
		{.title = "functions", .right = true}, {.title = "outcomes", .right = true},
		{.title = "paths", .right = true}, {.title = "of its own", .right = true},
		{.title = "test"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	for (size_t i = 0; i < view->test_count; i++) {
		const struct wm_cover_test *test = &view->tests[i];
		wm_listing_add(&listing, "%s", wm_text_count(test->amount[WM_COVER_LINES].covered).text);
		wm_listing_add(
			&listing, "%s", wm_text_count(test->amount[WM_COVER_FUNCTIONS].covered).text);
		wm_listing_add(
			&listing, "%s", wm_text_count(test->amount[WM_COVER_OUTCOMES].covered).text);
		wm_listing_add(&listing, "%s", view->ran ? wm_text_count(test->paths).text : "-");
		wm_listing_add(&listing, "%s", view->ran ? wm_text_count(test->own).text : "-");
		wm_listing_add(&listing, "%s", test->label);
	}
	wm_paint_title(out, view->colour, "Tests");
	wm_listing_print(&listing, out, view->colour);
	wm_arena_reset(&arena);
}

void wm_cover_view_print(const struct wm_cover_view *view, FILE *out)
{
	struct wm_arena arena = {0};
	size_t file_count, folder_count;
	struct row *files = list_files(&arena, view->cover, &file_count);
	struct row *folders = list_folders(&arena, view->cover, &folder_count);
	print_heading(view, out);
	print_totals(view, out);
	if (folder_count > 1)
		print_rows(view, "Folders", "folder", folders, folder_count, out);
	print_rows(view, "Files", "file", files, file_count, out);
	if (view->ran && !view->change)
		print_functions(view, out);
	if (view->tests)
		print_tests(view, out);
	wm_arena_reset(&arena);
}

static bool never_ran(const struct wm_line *line)
{
	return line->state == WM_LINE_EXACT && line->count == 0;
}

void wm_cover_view_not_run(const struct wm_cover_view *view, FILE *out)
{
	struct wm_arena arena = {0};
	for (size_t i = 0; i < view->cover->file_count; i++) {
		const struct wm_line_file *file = &view->cover->files[i].lines;
		bool titled = false;
		uint32_t before = 0;
		for (size_t k = 0; k < file->line_count; k++) {
			const struct wm_line *line = &file->lines[k];
			if (!never_ran(line))
				continue;
			if (!titled)
				wm_paint_title(out, view->colour, wm_text_clean(&arena, file->path));
			if (titled && (k == 0 || file->lines[k - 1].line != before))
				fputs("       ...\n", out);
			fprintf(out, "%s%7" PRIu32 ":%s%s\n",
				wm_paint(view->colour, WM_PAINT_MISSING), line->line,
				wm_sources_line(view->sources, file->path, line->line),
				wm_paint(view->colour, WM_PAINT_PLAIN));
			titled = true;
			before = line->line;
		}
	}
	wm_arena_reset(&arena);
}

static void write_amount(
	struct wm_json *json, const char *key, const struct wm_cover_amount *amount)
{
	wm_json_begin_object(json, key);
	wm_json_number(json, "of", amount->of);
	wm_json_number(json, "covered", amount->covered);
	wm_json_number(json, "unknown", amount->unknown);
	wm_json_end_object(json);
}

static void write_file(struct wm_json *json, const struct wm_cover_file *file)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "file", file->path);
	for (size_t q = 0; q <= WM_COVER_OUTCOMES; q++)
		write_amount(json, wm_cover_words[q], &file->amount[q]);
	wm_json_begin_array(json, "lines_not_run");
	for (size_t i = 0; i < file->lines.line_count; i++)
		if (never_ran(&file->lines.lines[i]))
			wm_json_number(json, NULL, file->lines.lines[i].line);
	wm_json_end_array(json);
	wm_json_begin_array(json, "functions_not_run");
	for (size_t i = 0; i < file->function_count; i++)
		if (file->functions[i].known && file->functions[i].count == 0)
			wm_json_text(json, NULL, file->functions[i].name);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_code(struct wm_json *json, const struct wm_cover_code *code)
{
	const struct wm_function *function = code->function->function;
	struct wm_place place = wm_place_of_function(function);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", function->name);
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	wm_json_flag(json, "entered", code->ran && code->ran->entered);
	write_amount(json, "outcomes", &code->outcomes);
	write_amount(json, "pairs", &code->pairs);
	wm_json_number(json, "paths", code->covered_paths);
	wm_json_number(json, "possible_paths", code->complete);
	wm_json_end_object(json);
}

static void write_test(struct wm_json *json, const struct wm_cover_test *test)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "test", test->label);
	for (size_t q = 0; q <= WM_COVER_OUTCOMES; q++)
		wm_json_number(json, wm_cover_words[q], test->amount[q].covered);
	wm_json_number(json, "paths", test->paths);
	wm_json_number(json, "own_paths", test->own);
	wm_json_end_object(json);
}

void wm_cover_view_json(const struct wm_cover_view *view, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_cover *cover = view->cover;
	wm_json_begin_document(&json, "cover");
	wm_json_text(&json, "program", view->program);
	wm_json_number(&json, "runs", view->runs);
	wm_json_number(&json, "cut_short", view->cut_short);
	wm_json_flag(&json, "paths_known", view->ran != NULL);
	wm_json_begin_object(&json, "totals");
	for (size_t q = 0; q < WM_COVER_QUANTITIES; q++)
		write_amount(&json, wm_cover_words[q], &cover->total[q]);
	wm_json_end_object(&json);
	wm_json_number(&json, "covered_paths", cover->covered_paths);
	wm_json_number(&json, "samples", view->ran ? view->ran->samples : 0);
	wm_json_number(&json, "paths_in_one_sample", cover->single);
	if (cover->chance >= 0)
		wm_json_real(&json, "chance_of_a_new_path", cover->chance);
	else
		wm_json_null(&json, "chance_of_a_new_path");
	wm_json_begin_array(&json, "files");
	for (size_t i = 0; i < cover->file_count; i++)
		write_file(&json, &cover->files[i]);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < cover->code_count; i++)
		write_code(&json, &cover->code[i]);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "tests");
	for (size_t i = 0; i < view->test_count; i++)
		write_test(&json, &view->tests[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
