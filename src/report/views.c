/* Every view is the same three steps: collect rows with their weight, sort the heaviest first,
 * print the first of them. Rows that never ran are left out.
 */
#include "report/views.h"

#include <inttypes.h>
#include <stdlib.h>

#include "profile/lines.h"
#include "profile/path_selection.h"
#include "report/call_view.h"
#include "report/function_view.h"
#include "report/heading.h"
#include "report/paint.h"
#include "report/path_groups.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/listing.h"
#include "report/text.h"
#include "report/thread_view.h"
#include "report/time_view.h"

/* A function, or a block, edge or line in it. */
struct row {
	uint64_t weight; /* what rows are sorted by */
	uint64_t order;	 /* and then by this, so that equal rows always come in the same order */
	const struct wm_profile_function *function;
	uint32_t index;	  /* block or edge of the function */
	const char *file; /* of a line */
	bool is_bound;	  /* the weight is */
};

struct printer {
	const struct wm_profile *profile;
	const struct wm_view_request *request;
	FILE *out;
	struct wm_arena arena;
	struct row *rows;
	size_t row_count;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void begin_rows(struct printer *printer, size_t max)
{
	printer->rows = wm_arena_alloc(&printer->arena, max, sizeof *printer->rows);
	printer->row_count = 0;
}

static void add_row(struct printer *printer, struct row row)
{
	row.order = printer->row_count;
	if (row.weight > 0)
		printer->rows[printer->row_count++] = row;
}

/* Sorts the rows and returns how many of them are shown. */
static size_t sort_rows(struct printer *printer)
{
	if (printer->row_count > 0)
		qsort(printer->rows, printer->row_count, sizeof *printer->rows, compare_rows);
	size_t top = printer->request->top;
	return printer->row_count < top ? printer->row_count : top;
}

static void print_title(struct printer *printer, const char *title)
{
	wm_paint_title(printer->out, printer->request->colour, title);
}

static void print_listing(struct printer *printer, const struct wm_listing *listing, size_t shown)
{
	wm_listing_print(listing, printer->out, printer->request->colour);
	wm_listing_print_rest(printer->out, printer->request->colour, printer->row_count - shown);
}

/* Prints the listing, and in how many functions what it is about is not known. */
static void print_known(
	struct printer *printer, const struct wm_listing *listing, size_t shown, const char *what)
{
	struct wm_path_selection selection = wm_path_selection_of(printer->profile);
	if (shown > 0 || selection.paths_only == 0)
		print_listing(printer, listing, shown);
	if (selection.paths_only > 0)
		fprintf(printer->out,
			"  %s are not known in %s function%s: only %spaths were counted there\n",
			what, wm_text_count(selection.paths_only).text,
			selection.paths_only == 1 ? "" : "s",
			selection.selected == selection.paths_only ? "selected " : "");
	if (shown == 0 && selection.paths_only > 0 && printer->request->view != WM_VIEW_OVERVIEW)
		fputs("  `waymark report --paths` shows what is known\n", printer->out);
}

static void add_source(struct printer *printer, struct wm_listing *listing, struct wm_place place)
{
	wm_listing_add(listing, "%s", wm_place_text(&printer->arena, place));
	struct wm_sources *sources = printer->request->sources;
	wm_listing_add(listing, "%s",
		sources && place.file[0] ? wm_sources_line(sources, place.file, place.line) : "");
}

static void print_blocks(struct printer *printer)
{
	static const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = "count", .right = true}, {.title = "function", .widest = 20},
		{.title = "block", .right = true},
		{.title = "source", .widest = 20, .keep_end = true}, {.title = "text"}};
	struct wm_listing listing = {
		.arena = &printer->arena, .columns = columns, .column_count = 6};
	const struct wm_profile *profile = printer->profile;
	begin_rows(printer, profile->blocks);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		for (uint32_t k = 0; function->block && k < function->function->block_count; k++)
			add_row(printer,
				(struct row){.weight = function->block[k] *
						       function->function->blocks[k].instructions,
					.function = function,
					.index = k});
	}
	size_t shown = sort_rows(printer);
	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &printer->rows[i];
		const struct wm_function *function = row->function->function;
		wm_listing_add(
			&listing, "%s", wm_text_share(row->weight, profile->instructions).text);
		wm_listing_add(
			&listing, "%s", wm_text_count(row->function->block[row->index]).text);
		wm_listing_add(&listing, "%s", wm_text_short_name(&printer->arena, function->name));
		wm_listing_add(&listing, "%" PRIu32, row->index);
		add_source(printer, &listing, wm_place_of_block(function, row->index));
	}
	print_title(printer, "Hottest blocks (code without a branch), by executed instructions");
	print_known(printer, &listing, shown, "blocks");
}

static void add_vertex(struct printer *printer, struct wm_listing *listing,
	const struct wm_function *function, uint32_t vertex)
{
	if (vertex == function->block_count) {
		wm_listing_add(listing, "exit");
		return;
	}
	struct wm_place place = wm_place_of_block(function, vertex);
	if (place.line)
		wm_listing_add(
			listing, "%" PRIu32 " (%s)", vertex, wm_place_text(&printer->arena, place));
	else
		wm_listing_add(listing, "%" PRIu32, vertex);
}

/* Collects the edges; returns in how many functions that ran they are not known. */
static uint32_t collect_edges(struct printer *printer)
{
	const struct wm_profile *profile = printer->profile;
	uint32_t unknown = 0;
	size_t max = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		max += profile->functions[i].function->edge_count;
	begin_rows(printer, max);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		unknown += !function->edge && function->calls > 0;
		for (uint32_t k = 0; function->edge && k < function->function->edge_count; k++)
			if (!(function->function->edge_flags[k] & WM_EDGE_ABANDONED))
				add_row(printer, (struct row){.weight = function->edge[k],
							 .function = function,
							 .index = k});
	}
	return unknown;
}

static void print_edges(struct printer *printer)
{
	static const struct wm_column columns[] = {{.title = "count", .right = true},
		{.title = "function", .widest = 28},
		{.title = "from block", .widest = 26, .keep_end = true},
		{.title = "to block", .widest = 26, .keep_end = true}};
	struct wm_listing listing = {
		.arena = &printer->arena, .columns = columns, .column_count = 4};
	uint32_t unknown = collect_edges(printer);
	size_t shown = sort_rows(printer);
	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &printer->rows[i];
		const struct wm_function *function = row->function->function;
		wm_listing_add(&listing, "%s", wm_text_count(row->weight).text);
		wm_listing_add(&listing, "%s", wm_text_short_name(&printer->arena, function->name));
		add_vertex(printer, &listing, function, function->edge_source[row->index]);
		add_vertex(printer, &listing, function, function->edge_target[row->index]);
	}
	print_title(
		printer, "Hottest edges: ways from block to block, by how often they were taken");
	print_known(printer, &listing, shown, "edges");
	if (unknown > 0)
		fprintf(printer->out,
			"  edges are not known in %s of the executed functions: "
			"their counters determine blocks only\n",
			wm_text_count(unknown).text);
}

static void print_lines(struct printer *printer)
{
	static const struct wm_column columns[] = {{.title = "count", .right = true},
		{.title = "source", .widest = 32, .keep_end = true}, {.title = "text"}};
	struct wm_listing listing = {
		.arena = &printer->arena, .columns = columns, .column_count = 3};
	struct wm_lines lines;
	struct wm_error error;
	size_t max = 0;
	if (wm_lines_count(&printer->arena, printer->profile, &lines, &error) < 0)
		fprintf(printer->out, "  no lines are known: %s\n", error.text);
	for (size_t i = 0; i < lines.file_count; i++)
		max += lines.files[i].line_count;
	print_title(printer, "Hottest lines, by how often they were executed");
	if (max == 0 && wm_path_selection_of(printer->profile).paths_only == 0) {
		fputs("  no source lines are known: the program was built without -g\n",
			printer->out);
		return;
	}
	begin_rows(printer, max);
	for (size_t i = 0; i < lines.file_count; i++)
		for (size_t k = 0; k < lines.files[i].line_count; k++)
			add_row(printer, (struct row){.weight = lines.files[i].lines[k].count,
						 .file = lines.files[i].path,
						 .index = lines.files[i].lines[k].line,
						 .is_bound = lines.files[i].lines[k].state !=
							     WM_LINE_EXACT});
	size_t shown = sort_rows(printer);
	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &printer->rows[i];
		wm_listing_add(&listing, "%s%s", row->is_bound ? "~" : "",
			wm_text_count(row->weight).text);
		add_source(printer, &listing, (struct wm_place){row->file, row->index});
	}
	print_known(printer, &listing, shown, "lines");
}

/* Which commands show more, with names that can be typed. */
static void print_more(struct printer *printer)
{
	const struct wm_profile *profile = printer->profile;
	struct wm_path_groups groups;
	wm_path_groups_make(&printer->arena, profile, &groups);
	if (groups.count == 0)
		return;
	const struct wm_path_group *first = &groups.groups[0];
	const char *file = first->function->function->scopes[0].file;
	fprintf(printer->out, "\n%sLook closer: waymark path %s",
		wm_paint(printer->request->colour, WM_PAINT_FAINT),
		wm_path_group_name(&printer->arena, printer->request->names, first, 64));
	if (file[0])
		fprintf(printer->out, ", waymark annotate %s",
			wm_text_clean(&printer->arena,
				wm_place_text(&printer->arena, (struct wm_place){file, 0})));
	fprintf(printer->out, "%s\n", wm_paint(printer->request->colour, WM_PAINT_PLAIN));
}

static void print_overview(struct printer *printer)
{
	const struct wm_profile *profile = printer->profile;
	bool has_paths = wm_path_view_has_paths(profile);
	if (printer->request->chosen) {
		wm_path_view_print(profile, printer->request, printer->out);
		return;
	}
	wm_function_view_print(profile, printer->request, printer->out);
	if (has_paths)
		wm_path_view_print(profile, printer->request, printer->out);
	else
		print_blocks(printer);
	if (printer->request->verbose)
		wm_heading_print_savings(profile, printer->request, printer->out);
	if (has_paths)
		print_more(printer);
}

void wm_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct printer printer = {.profile = profile, .request = request, .out = out};
	wm_heading_print(profile, request, out);
	switch (request->view) {
	case WM_VIEW_OVERVIEW:
		print_overview(&printer);
		break;
	case WM_VIEW_PATHS:
		wm_path_view_print(profile, request, out);
		break;
	case WM_VIEW_FUNCTIONS:
		wm_function_view_print(profile, request, out);
		break;
	case WM_VIEW_BLOCKS:
		print_blocks(&printer);
		break;
	case WM_VIEW_EDGES:
		print_edges(&printer);
		break;
	case WM_VIEW_LINES:
		print_lines(&printer);
		break;
	case WM_VIEW_CALLS:
		wm_call_view_print(profile, request, out);
		break;
	case WM_VIEW_THREADS:
		wm_thread_view_print(profile, request, out);
		break;
	case WM_VIEW_TIME:
		wm_time_view_print(profile, request, out);
		break;
	}
	wm_arena_reset(&printer.arena);
}
