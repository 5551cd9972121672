/* Contexts, and functions, in a row each. */
#include <stdlib.h>

#include "core/base/none.h"
#include "core/contexts/costs.h"
#include "report/context_name.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_view.h"

struct row {
	uint32_t number; /* of a record or function */
	uint64_t cost;
};

static int by_cost(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void print_title(
	FILE *out, bool colour, const char *what, const char *where, const struct wm_tree *tree)
{
	char title[96];
	snprintf(title, sizeof title, "%s, by %s%s", what, tree->metric, where);
	wm_paint_title(out, colour, title);
}

/* Records in the focus with costs of their own. */
static uint32_t find_records(const struct wm_tree *tree, const struct wm_tree_request *request,
	struct row *rows, uint64_t *all)
{
	uint32_t count = 0;
	*all = 0;
	for (uint32_t i = 1; i < tree->contexts.record_count; i++) {
		if (!tree->own[i] || (request->focus && !request->focus[i]))
			continue;
		rows[count++] = (struct row){i, tree->own[i]};
		*all += tree->own[i];
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_cost);
	return count;
}

void wm_tree_list_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = "own", .right = true}, {.title = "calls", .right = true},
		{.title = "context", .keep_end = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 4};
	struct row *rows = wm_arena_alloc(&arena, tree->contexts.record_count, sizeof *rows);
	uint64_t all;
	uint32_t count = find_records(tree, request, rows, &all);
	size_t shown = count < request->top ? count : request->top;
	for (size_t i = 0; i < shown; i++) {
		uint32_t record = rows[i].number;
		wm_listing_add(&listing, "%s", wm_text_share(tree->own[record], all).text);
		wm_listing_add(&listing, "%s", wm_text_count(tree->own[record]).text);
		wm_listing_add(&listing, "%s", wm_text_count(tree->entries[record]).text);
		wm_listing_add(&listing, "%s", wm_context_name(&arena, tree, record));
	}
	print_title(out, request->colour, "Contexts", " of their own", tree);
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	wm_arena_reset(&arena);
}

/* Of one function over all of its contexts. */
struct sum {
	uint64_t own, entries, recursion, contexts;
};

static struct sum *add_up(struct wm_arena *arena, const struct wm_tree *tree)
{
	struct sum *sums = wm_arena_alloc(arena, tree->profile->function_count, sizeof *sums);
	for (uint32_t i = 1; i < tree->contexts.record_count; i++) {
		struct sum *sum = &sums[tree->contexts.records[i].function];
		sum->own += tree->own[i];
		sum->entries += tree->entries[i];
		sum->recursion += tree->recursion[i];
		sum->contexts++;
	}
	return sums;
}

static void add_function(struct wm_listing *listing, const struct wm_tree *tree, uint64_t all,
	uint32_t number, const struct wm_context_sum *inclusive, const struct sum *sum)
{
	const char *bound = inclusive->is_lower_bound ? "≥" : "";
	wm_listing_add(listing, "%s%s", bound, wm_text_share(inclusive->cost, all).text);
	wm_listing_add(listing, "%s%s", bound, wm_text_count(inclusive->cost).text);
	wm_listing_add(listing, "%s", wm_text_count(sum->own).text);
	wm_listing_add(listing, "%s", wm_text_count(sum->entries).text);
	wm_listing_add(listing, "%s", wm_text_count(sum->recursion).text);
	wm_listing_add(listing, "%s", wm_text_count(sum->contexts).text);
	wm_listing_add(listing, "%s",
		wm_text_short_name(
			listing->arena, tree->profile->functions[number].function->name));
}

void wm_tree_functions_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = tree->metric, .right = true}, {.title = "own", .right = true},
		{.title = "entered", .right = true}, {.title = "by recursion", .right = true},
		{.title = "contexts", .right = true}, {.title = "function", .is_name = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 7};
	uint32_t functions = tree->profile->function_count, count = 0;
	const struct wm_context_sum *inclusive = wm_tree_sums(&arena, tree);
	const struct sum *sums = add_up(&arena, tree);
	struct row *rows = wm_arena_alloc(&arena, functions, sizeof *rows);
	uint64_t all = 0;
	for (uint32_t i = 0; i < functions; i++) {
		all += sums[i].own;
		if (sums[i].entries)
			rows[count++] = (struct row){i, inclusive[i].cost};
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_cost);
	size_t shown = count < request->top ? count : request->top;
	for (size_t i = 0; i < shown; i++)
		add_function(&listing, tree, all, rows[i].number, &inclusive[rows[i].number],
			&sums[rows[i].number]);
	print_title(out, request->colour, "Functions", " in all that they call", tree);
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	wm_arena_reset(&arena);
}
