/* Every table has one form: a share of the first kind, the counts, and what they are of. */
#include "report/count_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/inclusive_view.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/terminal.h"
#include "report/text.h"

/* Characters that the last two columns should keep; a path's source is long. */
enum { NAMES_WIDE = 28, PATHS_WIDE = 64 };

struct row {
	const struct wm_interval *counts; /* by kind */
	const char *name;
	const char *place;
};

struct table {
	struct wm_arena *arena;
	const struct wm_snapshot *snapshot;
	const struct wm_count_request *request;
	size_t count;
	struct row *rows;
};

const char *wm_count_text(struct wm_arena *arena, struct wm_interval count)
{
	bool negative = count.low != WM_NO_LOW && count.low < 0;
	if (count.low == WM_NO_LOW)
		return "?";
	uint64_t size = negative ? 0 - (uint64_t)count.low : (uint64_t)count.low;
	struct wm_text digits = wm_text_count(size);
	char *text = wm_arena_alloc(arena, strlen(digits.text) + 3, 1);
	sprintf(text, "%s%s%s", wm_interval_is_exact(count) ? "" : "~", negative ? "-" : "",
		digits.text);
	return text;
}

static uint64_t size_of(const struct wm_interval *count)
{
	return count->low > 0 ? (uint64_t)count->low : 0;
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	uint64_t a_size = size_of(a->counts), b_size = size_of(b->counts);
	if (a_size != b_size)
		return a_size > b_size ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool is_zero(const struct wm_interval *counts, size_t kinds)
{
	for (size_t k = 0; k < kinds; k++)
		if (counts[k].low != 0 || counts[k].high != 0)
			return false;
	return true;
}

static void add_row(struct table *table, struct row row)
{
	if (!is_zero(row.counts, table->snapshot->kinds.count))
		table->rows[table->count++] = row;
}

static void add_functions(struct table *table)
{
	const struct wm_snapshot *snapshot = table->snapshot;
	table->rows = wm_arena_alloc(table->arena, snapshot->function_count, sizeof *table->rows);
	for (size_t i = 0; i < snapshot->function_count; i++) {
		const struct wm_snapshot_function *function = &snapshot->functions[i];
		struct row row = {function->counts,
			wm_text_short_name(table->arena, function->name),
			wm_place_text(
				table->arena, (struct wm_place){function->file, function->line})};
		if (function->live->block)
			add_row(table, row);
	}
}

static void add_lines(struct table *table, const struct wm_profile *profile, bool files)
{
	size_t count, kinds = table->snapshot->kinds.count;
	struct wm_tally_line *lines =
		wm_tally_lines(table->arena, profile, &table->snapshot->kinds, &count);
	table->rows = wm_arena_alloc(table->arena, count, sizeof *table->rows);
	for (size_t i = 0; i < count; i++) {
		struct wm_interval *counts = lines[i].counts;
		struct wm_place place = {lines[i].file, lines[i].line};
		const char *text = "";
		for (; files && i + 1 < count && strcmp(lines[i + 1].file, place.file) == 0; i++)
			for (size_t k = 0; k < kinds; k++)
				counts[k] = wm_interval_add(counts[k], lines[i + 1].counts[k]);
		if (files)
			place.line = 0;
		else if (place.line)
			text = wm_sources_line(table->request->sources, place.file, place.line);
		add_row(table, (struct row){counts, wm_place_text(table->arena, place),
				       files	     ? place.file
				       : !place.line ? "(no line: the compiler's)"
						     : text});
	}
}

static void add_paths(struct table *table)
{
	const struct wm_snapshot *snapshot = table->snapshot;
	size_t kinds = snapshot->kinds.count, count = 0;
	for (size_t i = 0; i < snapshot->function_count; i++)
		count += snapshot->functions[i].path_count;
	table->rows = wm_arena_alloc(table->arena, count, sizeof *table->rows);
	for (size_t i = 0; i < snapshot->function_count; i++) {
		const struct wm_snapshot_function *function = &snapshot->functions[i];
		for (size_t p = 0; p < function->path_count; p++) {
			const struct wm_snapshot_path *path = &function->paths[p];
			struct wm_interval *counts =
				wm_arena_alloc(table->arena, kinds, sizeof *counts);
			for (size_t k = 0; k < kinds; k++)
				counts[k] = wm_interval_of((int64_t)(path->each[k] * path->count));
			add_row(table,
				(struct row){counts,
					wm_short_names_path(table->arena, table->request->names,
						function->live, &path->id, 1),
					path->source});
		}
	}
}

/* As many kinds as leave room for names. */
static size_t count_shown(const struct table *table, size_t rows, FILE *out)
{
	const struct wm_event_kinds *kinds = &table->snapshot->kinds;
	bool of_paths = table->request->by == WM_COUNT_BY_PATH;
	size_t used = 2 + 6 + (of_paths ? PATHS_WIDE : NAMES_WIDE), shown = 0;
	for (; shown < kinds->count; shown++) {
		size_t wide = strlen(kinds->kinds[shown].name);
		for (size_t i = 0; i < rows; i++) {
			const char *text =
				wm_count_text(table->arena, table->rows[i].counts[shown]);
			wide = strlen(text) > wide ? strlen(text) : wide;
		}
		used += 2 + wide;
		if (shown > 0 && used > wm_terminal_width(out))
			break;
	}
	return shown;
}

static struct wm_column *make_columns(const struct table *table, size_t kinds, bool wraps)
{
	static const char *const names[][2] = {[WM_COUNT_BY_FILE] = {"file", "path"},
		[WM_COUNT_BY_FUNCTION] = {"function", "source"},
		[WM_COUNT_BY_LINE] = {"line", "text"},
		[WM_COUNT_BY_PATH] = {"path", "source"}};
	struct wm_column *columns = wm_arena_alloc(table->arena, kinds + 3, sizeof *columns);
	columns[0] = (struct wm_column){.title = "share", .right = true};
	for (size_t k = 0; k < kinds; k++)
		columns[k + 1] = (struct wm_column){
			.title = table->snapshot->kinds.kinds[k].name, .right = true};
	columns[kinds + 1] = (struct wm_column){.title = names[table->request->by][0],
		.keep_end = wraps,
		.widest = wraps ? 26 : 40,
		.is_name = true};
	columns[kinds + 2] = (struct wm_column){.title = names[table->request->by][1]};
	return columns;
}

static void print_table(struct table *table, FILE *out)
{
	enum { PATH_WIDE = 52, PATH_ROWS = 4 };
	const struct wm_count_request *request = table->request;
	const struct wm_interval *whole = table->snapshot->totals;
	bool wraps = request->by == WM_COUNT_BY_PATH;
	size_t rows = table->count < request->top ? table->count : request->top;
	if (table->count > 0)
		qsort(table->rows, table->count, sizeof *table->rows, compare_rows);
	size_t kinds = count_shown(table, rows, out);
	struct wm_listing listing = {.arena = table->arena,
		.columns = make_columns(table, kinds, wraps),
		.column_count = kinds + 3};
	for (size_t i = 0; i < rows; i++) {
		const struct row *row = &table->rows[i];
		wm_listing_add(
			&listing, "%s", wm_text_share(size_of(row->counts), size_of(whole)).text);
		for (size_t k = 0; k < kinds; k++)
			wm_listing_add(&listing, "%s", wm_count_text(table->arena, row->counts[k]));
		wm_listing_add(&listing, "%s", row->name);
		if (wraps)
			wm_listing_add_wrapped(&listing, row->place, PATH_WIDE, PATH_ROWS);
		else
			wm_listing_add(&listing, "%s", row->place);
	}
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, table->count - rows);
}

static void print_totals(struct wm_arena *arena, const struct wm_snapshot *snapshot, FILE *out)
{
	int wide = 0;
	for (size_t k = 0; k < snapshot->kinds.count; k++) {
		int length = (int)strlen(wm_count_text(arena, snapshot->totals[k]));
		wide = length > wide ? length : wide;
	}
	for (size_t k = 0; k < snapshot->kinds.count; k++)
		fprintf(out, "  %*s  %s\n", wide, wm_count_text(arena, snapshot->totals[k]),
			wm_text_clean(arena, snapshot->kinds.kinds[k].name));
}

static void print_heading(struct wm_arena *arena, const struct wm_snapshot *snapshot, FILE *out)
{
	fprintf(out, "%s: %s run%s, build-id %s\n",
		wm_text_clean(arena, wm_place_text(arena, (struct wm_place){snapshot->program, 0})),
		wm_text_count(snapshot->runs).text, snapshot->runs == 1 ? "" : "s",
		snapshot->build_id);
	if (snapshot->unknown_count > 0)
		fprintf(out,
			"%s function%s of which only selected paths were counted %s left out\n",
			wm_text_count(snapshot->unknown_count).text,
			snapshot->unknown_count == 1 ? "" : "s",
			snapshot->unknown_count == 1 ? "is" : "are");
}

static bool has_table(const struct wm_snapshot *snapshot, const struct wm_count_request *request)
{
	if (snapshot->sums_only)
		return request->by == WM_COUNT_BY_CALL;
	return request->by != WM_COUNT_BY_PROGRAM;
}

void wm_count_view_print(const struct wm_profile *profile, const struct wm_snapshot *snapshot,
	const struct wm_count_request *request, FILE *out)
{
	static const char *const titles[] = {[WM_COUNT_BY_FILE] = "By file",
		[WM_COUNT_BY_FUNCTION] = "By function",
		[WM_COUNT_BY_LINE] = "By line",
		[WM_COUNT_BY_PATH] = "By path",
		[WM_COUNT_BY_CALL] = "By call, with everything called in it"};
	struct wm_arena arena = {0};
	struct table table = {.arena = &arena, .snapshot = snapshot, .request = request};
	print_heading(&arena, snapshot, out);
	print_totals(&arena, snapshot, out);
	if (has_table(snapshot, request))
		wm_paint_title(out, request->colour, titles[request->by]);
	switch (request->by) {
	case WM_COUNT_BY_PROGRAM:
		break;
	case WM_COUNT_BY_FUNCTION:
		add_functions(&table);
		break;
	case WM_COUNT_BY_FILE:
	case WM_COUNT_BY_LINE:
		add_lines(&table, profile, request->by == WM_COUNT_BY_FILE);
		break;
	case WM_COUNT_BY_PATH:
		add_paths(&table);
		break;
	case WM_COUNT_BY_CALL:
		wm_inclusive_view_print(snapshot, request, out);
		break;
	}
	if (has_table(snapshot, request) && request->by != WM_COUNT_BY_CALL)
		print_table(&table, out);
	wm_arena_reset(&arena);
}
