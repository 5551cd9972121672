/* From functions to their callers: what is spent in a function by the chains that led to it.
 * Contexts stand in an array; those of one row are a range of it, which is sorted again by their
 * next callers for the rows below. So there are as many chains in memory as contexts, whatever is
 * shown. */
#include <stdlib.h>

#include "core/base/none.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_rows.h"

/* A context with costs of its own, and how far up its chain the rows are. */
struct chain {
	uint32_t record;
	uint32_t function; /* the caller there; WM_NONE: the outside */
	uint32_t site;	   /* its call of the row above */
	uint32_t at;	   /* the record of the caller */
};

struct group {
	struct chain *chains;
	uint32_t count;
	uint64_t cost, calls, recursion;
};

struct groups {
	uint32_t count;
	struct group *list;
};

static int by_caller(const void *left, const void *right)
{
	const struct chain *a = left, *b = right;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->record > b->record) - (a->record < b->record);
}

static int by_cost(const void *left, const void *right)
{
	const struct group *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return by_caller(a->chains, b->chains);
}

static bool is_same_caller(const struct chain *a, const struct chain *b)
{
	return a->function == b->function && a->site == b->site;
}

/* Chains with the same caller, the heaviest first. */
static struct groups group(struct wm_tree_rows *rows, struct chain *chains, uint32_t count)
{
	struct groups groups = {0};
	size_t capacity = 0;
	if (count)
		qsort(chains, count, sizeof *chains, by_caller);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || !is_same_caller(&chains[i - 1], &chains[i])) {
			groups.list = wm_arena_grow(&rows->arena, groups.list, groups.count,
				&capacity, sizeof *groups.list);
			groups.list[groups.count++] = (struct group){.chains = &chains[i]};
		}
		struct group *last = &groups.list[groups.count - 1];
		last->count++;
		last->cost += rows->tree->own[chains[i].record];
		last->calls += rows->tree->entries[chains[i].record];
		last->recursion += rows->tree->recursion[chains[i].record];
	}
	if (groups.count)
		qsort(groups.list, groups.count, sizeof *groups.list, by_cost);
	return groups;
}

static void climb(const struct wm_contexts *tree, const struct group *group)
{
	for (uint32_t i = 0; i < group->count; i++) {
		struct chain *chain = &group->chains[i];
		chain->site = tree->records[chain->at].site;
		chain->at = tree->records[chain->at].parent;
		chain->function = tree->records[chain->at].function;
	}
}

static void print_group(struct wm_tree_rows *rows, const struct group *group, uint32_t depth)
{
	const struct chain *chain = group->chains;
	const struct wm_tree_row row = {.cost = group->cost,
		.own = group->cost,
		.entries = group->calls,
		.recursion = depth ? 0 : group->recursion,
		.depth = depth,
		.name = chain->function == WM_NONE ? "" : wm_tree_name(rows, chain->function),
		.place = depth ? wm_tree_place(rows, chain->function, chain->site) : ""};
	wm_tree_row_print(rows, &row);
}

static void print_callers(
	struct wm_tree_rows *rows, struct chain *chains, uint32_t count, uint32_t depth)
{
	struct wm_tree_row rest = {.depth = depth};
	uint64_t left_out = 0;
	struct groups groups = group(rows, chains, count);
	for (uint32_t i = 0; i < groups.count; i++) {
		const struct group *each = &groups.list[i];
		if (!wm_tree_row_is_shown(rows, each->cost, depth)) {
			rest.cost += each->cost;
			rest.own += each->cost;
			rest.entries += each->calls;
			left_out++;
			continue;
		}
		print_group(rows, each, depth);
		if (each->chains->function == WM_NONE)
			continue;
		climb(&rows->tree->contexts, each);
		print_callers(rows, each->chains, each->count, depth + 1);
	}
	wm_tree_rest_print(rows, &rest, left_out);
}

/* The contexts in the focus in which something was spent. */
static struct chain *find_chains(struct wm_tree_rows *rows, uint32_t *count)
{
	const struct wm_contexts *tree = &rows->tree->contexts;
	const bool *focus = rows->request->focus;
	struct chain *chains = wm_arena_alloc(&rows->arena, tree->record_count, sizeof *chains);
	*count = 0;
	for (uint32_t i = 1; i < tree->record_count; i++) {
		if (!rows->tree->own[i] || (focus && !focus[i]))
			continue;
		chains[(*count)++] =
			(struct chain){.record = i, .function = tree->records[i].function, .at = i};
		rows->all += rows->tree->own[i];
	}
	return chains;
}

void wm_tree_inverted_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	struct wm_tree_rows rows = wm_tree_rows_make(tree, request, out);
	uint32_t count;
	struct chain *chains = find_chains(&rows, &count);
	char title[80];
	snprintf(title, sizeof title, "Functions, and below each its callers, by %s", tree->metric);
	wm_paint_title(out, request->colour, title);
	wm_tree_head_print(&rows,
		tree->by_function ? "function; caller" : "function; caller, and the call in it");
	print_callers(&rows, chains, count, 0);
	wm_tree_sum_print(&rows, count);
	wm_arena_reset(&rows.arena);
}
