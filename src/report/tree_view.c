/* A row for each context whose subtree costs enough; the heaviest of one parent first. What is left
 * out stands in one row, so the costs of the rows below a row and its own are all that its subtree
 * has.
 *
 * With a focus, only what was spent in its contexts and below them is part of the sums. */
#include "report/tree_view.h"

#include <stdlib.h>

#include "core/contexts/costs.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_rows.h"

struct printer {
	struct wm_tree_rows rows;
	const struct wm_contexts *tree;
	const uint64_t *own;   /* by record: in the focus */
	const uint64_t *cost;  /* by record: of its subtree */
	uint32_t contexts;     /* in the focus */
	uint32_t *child_start; /* by record: its children are child[child_start[r]], ... */
	uint32_t *child;
};

static const uint64_t *sort_key;

static int by_cost(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (sort_key[a] != sort_key[b])
		return sort_key[a] > sort_key[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void sort_children(struct printer *printer)
{
	uint32_t count = printer->tree->record_count;
	printer->child_start = wm_arena_alloc(&printer->rows.arena, count + 1, sizeof(uint32_t));
	printer->child = wm_arena_alloc(&printer->rows.arena, count, sizeof(uint32_t));
	for (uint32_t i = 1; i < count; i++)
		printer->child_start[printer->tree->records[i].parent + 1]++;
	for (uint32_t i = 0; i < count; i++)
		printer->child_start[i + 1] += printer->child_start[i];
	uint32_t *next = wm_arena_alloc(&printer->rows.arena, count, sizeof *next);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t parent = printer->tree->records[i].parent;
		printer->child[printer->child_start[parent] + next[parent]++] = i;
	}
	sort_key = printer->cost;
	for (uint32_t i = 0; i < count; i++)
		qsort(&printer->child[printer->child_start[i]], next[i], sizeof *printer->child,
			by_cost);
}

/* What each record has in the focus. */
static const uint64_t *find_focus(struct printer *printer)
{
	const struct wm_contexts *tree = printer->tree;
	const bool *focus = printer->rows.request->focus;
	bool *inside = wm_arena_alloc(&printer->rows.arena, tree->record_count, sizeof *inside);
	uint64_t *own = wm_arena_alloc(&printer->rows.arena, tree->record_count, sizeof *own);
	for (uint32_t i = 1; i < tree->record_count; i++) {
		inside[i] = !focus || inside[tree->records[i].parent] || focus[i];
		own[i] = inside[i] ? printer->rows.tree->own[i] : 0;
		printer->contexts += inside[i];
	}
	return own;
}

static void print_record(struct printer *printer, uint32_t number, uint32_t depth)
{
	struct wm_tree_rows *rows = &printer->rows;
	const struct wm_context_record *record = &printer->tree->records[number];
	const struct wm_tree_row row = {.cost = printer->cost[number],
		.is_lower_bound = rows->tree->is_lower_bound[number],
		.own = printer->own[number],
		.entries = rows->tree->entries[number],
		.recursion = rows->tree->recursion[number],
		.depth = depth,
		.name = wm_tree_name(rows, record->function),
		.place = wm_tree_place(
			rows, printer->tree->records[record->parent].function, record->site)};
	wm_tree_row_print(rows, &row);
}

/* Of a row that stands for several, `calls` are those in their subtrees where rows are by calls. */
static void add_rest(struct printer *printer, uint32_t number, struct wm_tree_row *rest)
{
	rest->cost += printer->cost[number];
	rest->own += printer->own[number];
	rest->entries += printer->rows.by_calls ? printer->cost[number]
						: printer->rows.tree->entries[number];
}

static void print_children(struct printer *printer, uint32_t parent, uint32_t depth)
{
	struct wm_tree_row rest = {.depth = depth};
	uint64_t left_out = 0;
	for (uint32_t i = printer->child_start[parent]; i < printer->child_start[parent + 1]; i++) {
		uint32_t child = printer->child[i];
		if (wm_tree_row_is_shown(&printer->rows, printer->cost[child], depth)) {
			print_record(printer, child, depth);
			print_children(printer, child, depth + 1);
		} else if (printer->cost[child]) {
			add_rest(printer, child, &rest);
			left_out++;
		}
	}
	wm_tree_rest_print(&printer->rows, &rest, left_out);
}

void wm_tree_view_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	struct printer printer = {
		.rows = wm_tree_rows_make(tree, request, out), .tree = &tree->contexts};
	struct wm_arena *arena = &printer.rows.arena;
	printer.own = find_focus(&printer);
	printer.cost = wm_context_costs(arena, printer.tree, printer.own);
	printer.rows.all = printer.cost[WM_CONTEXT_OUTSIDE];
	sort_children(&printer);
	char title[96];
	snprintf(title, sizeof title, "Contexts: who called whom, by %s in their subtree",
		tree->metric);
	wm_paint_title(out, request->colour, title);
	wm_tree_head_print(&printer.rows, tree->by_function ? "function" : "function, called from");
	print_children(&printer, WM_CONTEXT_OUTSIDE, 0);
	wm_tree_sum_print(&printer.rows, printer.contexts);
	wm_arena_reset(arena);
}
