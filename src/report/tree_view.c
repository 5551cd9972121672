/* A row for each context whose subtree has enough calls; the heaviest of one parent first. What is
 * left out stands in one row, so the calls of the rows below a row are all that its subtree has.
 *
 * With a focus, only calls in contexts with one of its functions are part of the sums. */
#include "report/tree_view.h"

#include <stdlib.h>

#include "core/contexts/costs.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_rows.h"

struct printer {
	struct wm_tree_rows rows;
	const uint64_t *calls; /* by record: of its subtree */
	uint32_t contexts;     /* in the focus */
	uint32_t *child_start; /* by record: its children are child[child_start[r]], ... */
	uint32_t *child;
};

static const uint64_t *sort_key;

static int by_calls(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (sort_key[a] != sort_key[b])
		return sort_key[a] > sort_key[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void sort_children(struct printer *printer)
{
	uint32_t count = printer->rows.tree->record_count;
	printer->child_start = wm_arena_alloc(&printer->rows.arena, count + 1, sizeof(uint32_t));
	printer->child = wm_arena_alloc(&printer->rows.arena, count, sizeof(uint32_t));
	for (uint32_t i = 1; i < count; i++)
		printer->child_start[printer->rows.tree->records[i].parent + 1]++;
	for (uint32_t i = 0; i < count; i++)
		printer->child_start[i + 1] += printer->child_start[i];
	uint32_t *next = wm_arena_alloc(&printer->rows.arena, count, sizeof *next);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t parent = printer->rows.tree->records[i].parent;
		printer->child[printer->child_start[parent] + next[parent]++] = i;
	}
	sort_key = printer->calls;
	for (uint32_t i = 0; i < count; i++)
		qsort(&printer->child[printer->child_start[i]], next[i], sizeof *printer->child,
			by_calls);
}

/* The calls of each record that are in the focus. */
static const uint64_t *find_focus(struct printer *printer)
{
	const struct wm_contexts *tree = printer->rows.tree;
	const bool *focus = printer->rows.request->focus;
	bool *inside = wm_arena_alloc(&printer->rows.arena, tree->record_count, sizeof *inside);
	uint64_t *own = wm_arena_alloc(&printer->rows.arena, tree->record_count, sizeof *own);
	for (uint32_t i = 1; i < tree->record_count; i++) {
		inside[i] = !focus || inside[tree->records[i].parent] ||
			    focus[tree->records[i].function];
		own[i] = inside[i] ? printer->rows.entries[i] : 0;
		printer->contexts += inside[i];
	}
	return own;
}

static void print_record(struct printer *printer, uint32_t number, uint32_t depth)
{
	struct wm_tree_rows *rows = &printer->rows;
	const struct wm_context_record *record = &rows->tree->records[number];
	const struct wm_tree_row row = {.calls = printer->calls[number],
		.entries = rows->entries[number],
		.recursion = rows->recursion[number],
		.depth = depth,
		.name = wm_tree_name(rows, record->function),
		.place = wm_tree_place(
			rows, rows->tree->records[record->parent].function, record->site)};
	wm_tree_row_print(rows, &row);
}

static void print_children(struct printer *printer, uint32_t parent, uint32_t depth)
{
	uint64_t rest = 0, left_out = 0;
	for (uint32_t i = printer->child_start[parent]; i < printer->child_start[parent + 1]; i++) {
		uint32_t child = printer->child[i];
		if (wm_tree_row_is_shown(&printer->rows, printer->calls[child], depth)) {
			print_record(printer, child, depth);
			print_children(printer, child, depth + 1);
		} else if (printer->calls[child]) {
			rest += printer->calls[child];
			left_out++;
		}
	}
	wm_tree_rest_print(&printer->rows, rest, left_out, depth);
}

void wm_tree_view_print(const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_tree_request *request,
	FILE *out)
{
	struct printer printer = {
		.rows = wm_tree_rows_make(profile, &contexts->tree, request, out)};
	struct wm_arena *arena = &printer.rows.arena;
	printer.calls = wm_context_costs(arena, printer.rows.tree, find_focus(&printer));
	printer.rows.all = printer.calls[WM_CONTEXT_OUTSIDE];
	sort_children(&printer);
	wm_paint_title(
		out, request->colour, "Contexts: who called whom, by calls in their subtree");
	fprintf(out, "  %6s  %14s  function, called from\n", "share", "calls");
	print_children(&printer, WM_CONTEXT_OUTSIDE, 0);
	fprintf(out, "  %s contexts, %s calls\n", wm_text_count(printer.contexts).text,
		wm_text_count(printer.rows.all).text);
	wm_arena_reset(arena);
}
