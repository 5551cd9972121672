/* The paths of one function that are in a set, as ranges of ids.
 *
 * Ids of paths with a common prefix follow each other (core/paths/paths.h): when a walk from the
 * entry has seen all lines that an item asks for, everything behind it is one range. Vertices from
 * which a missing line cannot be reached any more are not entered, so each walk ends in a range.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/graph/depth_first.h"
#include "names/block_lines.h"
#include "names/path_set.h"
#include "names/text_name.h"

enum { MAX_RANGES = 1 << 20 };

struct matching {
	struct wm_arena *arena;
	const struct wm_function *function;
	const struct wm_paths *paths;
	struct wm_path_ranges *found;
	size_t capacity;
};

static bool add_range(struct matching *matching, uint64_t first, uint64_t count)
{
	struct wm_path_ranges *found = matching->found;
	if (found->count == MAX_RANGES)
		return false;
	found->ranges = wm_arena_grow(matching->arena, found->ranges, found->count,
		&matching->capacity, sizeof *found->ranges);
	found->ranges[found->count++] = (struct wm_path_range){first, count};
	return true;
}

static void improve(struct wm_path_item *item, enum wm_path_fate fate)
{
	if (fate > item->fate)
		item->fate = fate;
}

/* Names of hot paths come from a profile, in the linker's form. */
static bool names_function(const struct wm_path_item *item, const struct wm_path_name *name,
	const struct wm_function *function)
{
	return item->kind == WM_PATH_ITEM_HOT ? strcmp(name->function, function->name) == 0
					      : wm_path_name_is_of(name, function);
}

static bool match_names(struct matching *matching, struct wm_path_item *item)
{
	for (size_t i = 0; i < item->name_count; i++) {
		const struct wm_path_name *name = &item->names[i];
		if (!names_function(item, name, matching->function))
			continue;
		bool fits = wm_path_name_fits(name, matching->function);
		improve(item, fits ? WM_PATH_FATE_NO_PATH : WM_PATH_FATE_OTHER_SHAPE);
		for (size_t k = 0; fits && k < name->id_count; k++) {
			if (name->ids[k] >= matching->paths->count)
				continue;
			improve(item, WM_PATH_FATE_MATCHED);
			if (!add_range(matching, name->ids[k], 1))
				return false;
		}
	}
	return true;
}

/* The function of a saved set that is this one: of the same shape and code and, of several in files
 * of the same name, that whose folders are the most alike. NULL: none is. */
static const struct wm_saved_function *find_saved(
	const struct matching *matching, struct wm_path_item *item)
{
	const struct wm_function *function = matching->function;
	const struct wm_saved_function *best = NULL;
	uint32_t shape = wm_path_cfg_hash(function);
	size_t count, best_likeness = 0;
	const struct wm_saved_function *named =
		wm_saved_paths_named(&item->saved, function->name, &count);
	for (size_t i = 0; i < count; i++) {
		size_t likeness =
			wm_saved_file_likeness(named[i].file, function->scopes[0].file);
		if (likeness == 0)
			continue;
		improve(item, WM_PATH_FATE_OTHER_SHAPE);
		if (named[i].shape != shape || !function->code || named[i].code != function->code ||
			likeness <= best_likeness)
			continue;
		best = &named[i];
		best_likeness = likeness;
	}
	return best;
}

static bool match_saved(struct matching *matching, struct wm_path_item *item)
{
	const struct wm_saved_function *saved = find_saved(matching, item);
	if (!saved)
		return true;
	improve(item, WM_PATH_FATE_NO_PATH);
	for (size_t i = 0; i < saved->range_count; i++) {
		const struct wm_saved_range *range = &saved->ranges[i];
		if (range->last >= matching->paths->count)
			continue;
		improve(item, WM_PATH_FATE_MATCHED);
		if (!add_range(matching, range->first, range->last - range->first + 1))
			return false;
	}
	return true;
}

static bool match_function(struct matching *matching, struct wm_path_item *item)
{
	if (!wm_text_name_matches(item->glob, matching->function->name))
		return true;
	improve(item, WM_PATH_FATE_MATCHED);
	return add_range(matching, 0, matching->paths->count);
}

/* By vertex: a bit for each of the item's lines that the block holds. */
static uint64_t *mark_lines(struct matching *matching, struct wm_path_item *item)
{
	const struct wm_function *function = matching->function;
	uint64_t *holds = wm_arena_alloc(
		matching->arena, matching->paths->graph->vertex_count, sizeof *holds);
	for (uint32_t b = 0; b < function->block_count; b++) {
		size_t count;
		const struct wm_block_line *lines =
			wm_block_lines(matching->arena, function, b, &count);
		for (size_t i = 0; i < count; i++)
			for (size_t k = 0; k < item->line_count; k++)
				if (lines[i].line == item->lines[k].line &&
					wm_block_lines_names_file(
						item->lines[k].file, lines[i].file)) {
					holds[b] |= (uint64_t)1 << k;
					item->lines[k].seen = true;
				}
	}
	return holds;
}

/* By vertex: the lines that can still be reached from there, its own included. */
static uint64_t *reachable_lines(const struct matching *matching, const uint64_t *holds)
{
	const struct wm_cfg *graph = matching->paths->graph;
	struct wm_depth_first order = wm_depth_first_search(matching->arena, graph);
	uint64_t *reachable =
		wm_arena_alloc(matching->arena, graph->vertex_count, sizeof *reachable);
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		reachable[v] = holds[v];
		for (uint32_t k = graph->out_start[v];
			v != graph->exit && k < graph->out_start[v + 1]; k++)
			reachable[v] |= reachable[graph->target[graph->out_edge[k]]];
	}
	return reachable;
}

struct walker {
	uint32_t vertex;
	uint64_t sum; /* of the values so far */
	uint64_t seen;
};

/* Where the walker gets along the edge. A path that starts behind a cut edge does not run through
 * the entry, from which its first edge leads. */
static struct walker step(const struct matching *matching, const struct walker *at, uint32_t edge,
	const uint64_t *holds)
{
	const struct wm_paths *paths = matching->paths;
	uint32_t target = paths->graph->target[edge];
	bool starts = paths->kind[edge] == WM_PATH_EDGE_START;
	return (struct walker){
		target, at->sum + paths->value[edge], (starts ? 0 : at->seen) | holds[target]};
}

/* Whether paths start behind cut edges, so that not every path runs through the entry. */
static bool starts_elsewhere(const struct wm_paths *paths)
{
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		if (paths->kind[e] == WM_PATH_EDGE_START)
			return true;
	return false;
}

static bool walk(struct matching *matching, struct wm_path_item *item, const uint64_t *holds,
	const uint64_t *reachable)
{
	const struct wm_cfg *graph = matching->paths->graph;
	uint64_t all = item->line_count == 64 ? UINT64_MAX : ((uint64_t)1 << item->line_count) - 1;
	struct walker *stack =
		wm_arena_alloc(matching->arena, (size_t)graph->edge_count + 1, sizeof *stack);
	bool only_start = !starts_elsewhere(matching->paths);
	size_t depth = 0;
	stack[depth++] = (struct walker){graph->entry, 0, holds[graph->entry]};
	while (depth > 0) {
		struct walker at = stack[--depth];
		if (at.seen == all && (at.vertex != graph->entry || only_start)) {
			improve(item, WM_PATH_FATE_MATCHED);
			if (!add_range(matching, at.sum, matching->paths->from[at.vertex]))
				return false;
			continue;
		}
		for (uint32_t i = graph->out_start[at.vertex]; i < graph->out_start[at.vertex + 1];
			i++) {
			uint32_t edge = graph->out_edge[i];
			if (edge == wm_cfg_closing_edge(graph))
				continue;
			struct walker next = step(matching, &at, edge, holds);
			if ((next.seen | reachable[next.vertex]) == all)
				stack[depth++] = next;
		}
	}
	return true;
}

static bool match_lines(struct matching *matching, struct wm_path_item *item)
{
	const uint64_t *holds = mark_lines(matching, item);
	bool all_seen = true;
	for (size_t i = 0; i < item->line_count; i++)
		all_seen &= item->lines[i].seen;
	if (all_seen)
		improve(item, WM_PATH_FATE_NO_PATH);
	return walk(matching, item, holds, reachable_lines(matching, holds));
}

static bool match_item(struct matching *matching, struct wm_path_item *item)
{
	switch (item->kind) {
	case WM_PATH_ITEM_FUNCTION:
		return match_function(matching, item);
	case WM_PATH_ITEM_LINES:
		return match_lines(matching, item);
	case WM_PATH_ITEM_SAVED:
		return match_saved(matching, item);
	default:
		return match_names(matching, item);
	}
}

static int compare_ranges(const void *left, const void *right)
{
	const struct wm_path_range *a = left, *b = right;
	return (a->first > b->first) - (a->first < b->first);
}

/* Sorts the ranges and joins those that overlap or touch. */
static void join_ranges(struct wm_path_ranges *found)
{
	size_t kept = 0;
	if (found->count > 0)
		qsort(found->ranges, found->count, sizeof *found->ranges, compare_ranges);
	for (size_t i = 0; i < found->count; i++) {
		struct wm_path_range range = found->ranges[i];
		struct wm_path_range *last = kept ? &found->ranges[kept - 1] : NULL;
		if (!last || range.first > last->first + last->count)
			found->ranges[kept++] = range;
		else if (range.first + range.count > last->first + last->count)
			last->count = range.first + range.count - last->first;
	}
	found->count = kept;
	for (size_t i = 0; i < kept; i++)
		found->paths += found->ranges[i].count;
}

int wm_path_set_match(struct wm_arena *arena, struct wm_path_set *set,
	const struct wm_function *function, const struct wm_paths *paths,
	struct wm_path_ranges *ranges, struct wm_error *error)
{
	struct matching matching = {arena, function, paths, ranges, 0};
	assert(!set->needs_profile);
	*ranges = (struct wm_path_ranges){0};
	for (size_t i = 0; i < set->item_count; i++)
		if (!match_item(&matching, &set->items[i]))
			return wm_error_set(error, WM_ERROR_INPUT,
				"paths: '%.200s' selects too many paths of function '%.200s' to "
				"list them; name more of their lines",
				set->items[i].text, function->name);
	join_ranges(ranges);
	return 0;
}

bool wm_path_ranges_have(const struct wm_path_ranges *ranges, uint64_t id)
{
	size_t low = 0, high = ranges->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wm_path_range *range = &ranges->ranges[middle];
		if (id < range->first)
			high = middle;
		else if (id - range->first >= range->count)
			low = middle + 1;
		else
			return true;
	}
	return false;
}
