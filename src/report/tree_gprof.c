/* gprof's guess beside the truth. Both are of the same calls and costs, so what differs is only
 * what gprof cannot know: which calls of a function are the expensive ones. */
#include <math.h>
#include <stdlib.h>

#include "core/base/none.h"
#include "core/contexts/apportion.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_view.h"

struct row {
	const struct wm_context_arc *arc;
	double gprof, difference; /* more than the truth, or less */
};

static int by_difference(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	if (fabs(a->difference) != fabs(b->difference))
		return fabs(a->difference) > fabs(b->difference) ? -1 : 1;
	return (a->arc > b->arc) - (a->arc < b->arc);
}

static uint32_t find_rows(struct wm_arena *arena, const struct wm_tree *tree,
	const struct wm_call_graph *graph, struct row *rows)
{
	uint32_t functions = tree->profile->function_count, count = 0;
	const double *given =
		wm_call_graph_apportion(arena, graph, &tree->contexts, tree->own, functions);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct wm_context_arc *arc = &graph->arcs[i];
		if (arc->caller != WM_NONE && !wm_call_graph_is_inner(graph, i, functions))
			rows[count++] = (struct row){arc, given[i], given[i] - (double)arc->cost};
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_difference);
	return count;
}

static const char *name_of(
	struct wm_listing *listing, const struct wm_tree *tree, uint32_t function)
{
	return wm_text_short_name(
		listing->arena, tree->profile->functions[function].function->name);
}

/* Sums of costs are modulo 2^64; gprof's are not. */
static uint64_t rounded(double cost)
{
	return cost < 0x1p64 ? (uint64_t)(cost + 0.5) : UINT64_MAX;
}

static void add_row(struct wm_listing *listing, const struct wm_tree *tree, const struct row *row)
{
	const struct wm_context_arc *arc = row->arc;
	wm_listing_add(listing, "%s", wm_text_count(arc->cost).text);
	wm_listing_add(listing, "%s", wm_text_count(rounded(row->gprof)).text);
	if (!arc->cost)
		wm_listing_add(listing, "-");
	else if (fabs(row->difference) < 0.5)
		wm_listing_add(listing, "0%%");
	else
		wm_listing_add(listing, "%+.0f%%", 100 * row->difference / (double)arc->cost);
	wm_listing_add(listing, "%s", wm_text_count(arc->calls).text);
	wm_listing_add(listing, "%s", name_of(listing, tree, arc->caller));
	wm_listing_add(listing, "%s", name_of(listing, tree, arc->callee));
}

/* Sums of all pairs would count nested calls several times. */
static void print_wrong(const struct row *rows, uint32_t count, FILE *out)
{
	enum { TENTH = 10 };
	uint32_t wrong = 0;
	for (uint32_t i = 0; i < count; i++)
		wrong += fabs(rows[i].difference) * TENTH > (double)rows[i].arc->cost;
	fprintf(out, "  gprof is more than 10%% wrong for %s of %s pairs\n",
		wm_text_count(wrong).text, wm_text_count(count).text);
}

void wm_tree_gprof_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "exact", .right = true},
		{.title = "gprof", .right = true}, {.title = "error", .right = true},
		{.title = "calls", .right = true}, {.title = "caller", .is_name = true},
		{.title = "callee", .is_name = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	const struct wm_call_graph graph = wm_call_graph_make(
		&arena, &tree->contexts, tree->own, tree->profile->function_count);
	struct row *rows = wm_arena_alloc(&arena, graph.arc_count, sizeof *rows);
	uint32_t count = find_rows(&arena, tree, &graph, rows);
	size_t shown = count < request->top ? count : request->top;
	char title[120];
	for (size_t i = 0; i < shown; i++)
		add_row(&listing, tree, &rows[i]);
	snprintf(title, sizeof title,
		"What calls cost, by %s in their subtree, and what gprof would say", tree->metric);
	wm_paint_title(out, request->colour, title);
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	print_wrong(rows, count, out);
	wm_arena_reset(&arena);
}
