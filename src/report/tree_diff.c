/* Both trees are laid over each other: a third tree has the records of both, whose functions and
 * sites are numbers of what is the same in both. */
#include "report/tree_diff.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/intern.h"
#include "core/base/none.h"

/* What builds have in common. */
struct common {
	struct wm_arena arena;
	struct wm_intern texts, names, functions, sites;
	struct wm_contexts contexts;
};

/* One tree in it. */
struct side {
	const struct wm_tree *tree;
	uint32_t *function; /* by function: its number in both */
	uint32_t **site;    /* by function and call, likewise */
	uint32_t *record;   /* by record of both: the one here, or WM_NONE */
};

/* By function: its name and file, and its number among those that have the same. */
static uint32_t *number_functions(struct common *common, const struct wm_profile *profile)
{
	uint32_t count = profile->function_count, names = common->names.count + count;
	uint32_t *numbers = wm_arena_alloc(&common->arena, count, sizeof *numbers);
	uint32_t *seen = wm_arena_alloc(&common->arena, names, sizeof *seen);
	for (uint32_t i = 0; i < count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		const char *file = function->scope_count ? function->scopes[0].file : "";
		const char *slash = strrchr(file, '/');
		const uint32_t name[] = {wm_intern_text(&common->texts, function->name),
			wm_intern_text(&common->texts, slash ? slash + 1 : file)};
		uint32_t number = wm_intern(&common->names, name, sizeof name);
		const uint32_t one[] = {number, seen[number]++};
		numbers[i] = wm_intern(&common->functions, one, sizeof one);
	}
	return numbers;
}

/* A call by its callee's name and its number among those of this name. */
static uint32_t *number_sites(struct common *common, const struct wm_function *function)
{
	uint32_t *numbers = wm_arena_alloc(&common->arena, function->call_count, sizeof *numbers);
	for (uint32_t i = 0; i < function->call_count; i++) {
		uint32_t rank = 0;
		for (uint32_t k = 0; k < i; k++)
			rank += strcmp(function->calls[k].callee, function->calls[i].callee) == 0;
		const uint32_t site[] = {
			wm_intern_text(&common->texts, function->calls[i].callee), rank};
		numbers[i] =
			WM_CONTEXT_SITE_UNKNOWN + 1 + wm_intern(&common->sites, site, sizeof site);
	}
	return numbers;
}

static struct side make_side(struct common *common, const struct wm_tree *tree)
{
	const struct wm_profile *profile = tree->profile;
	struct side side = {.tree = tree,
		.function = number_functions(common, profile),
		.site = wm_arena_alloc(&common->arena, profile->function_count, sizeof *side.site)};
	for (uint32_t i = 0; i < profile->function_count; i++)
		side.site[i] = number_sites(common, profile->functions[i].function);
	return side;
}

/* By record of the side: that in both. */
static uint32_t *lay(struct common *common, const struct side *side)
{
	const struct wm_contexts *contexts = &side->tree->contexts;
	uint32_t *place = wm_arena_alloc(&common->arena, contexts->record_count, sizeof *place);
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		const struct wm_context_record *record = &contexts->records[i];
		uint32_t site = record->site;
		if (record->parent != WM_CONTEXT_OUTSIDE)
			site = side->site[contexts->records[record->parent].function][site];
		uint32_t link = wm_contexts_link(&common->contexts, place[record->parent], site,
			side->function[record->function]);
		place[i] = common->contexts.links[link].target;
	}
	return place;
}

static void turn_around(struct common *common, struct side *side, const uint32_t *place)
{
	uint32_t count = common->contexts.record_count;
	side->record = wm_arena_alloc(&common->arena, count, sizeof *side->record);
	for (uint32_t i = 0; i < count; i++)
		side->record[i] = WM_NONE;
	for (uint32_t i = 0; i < side->tree->contexts.record_count; i++)
		side->record[place[i]] = i;
}

/* A context of which nothing was called is in the tree for those below it. */
static uint64_t own_of(const struct side *side, uint32_t record)
{
	return side->record[record] == WM_NONE ? 0 : side->tree->own[side->record[record]];
}

/* By record of both: the change that it is part of. */
struct marks {
	uint32_t *change; /* + 1, or 0 */
	size_t capacity;
};

static void add_change(struct wm_arena *arena, struct wm_tree_diff *diff, struct marks *marks,
	uint32_t record, struct wm_tree_change change)
{
	diff->changes = wm_arena_grow(
		arena, diff->changes, diff->count, &marks->capacity, sizeof *diff->changes);
	diff->changes[diff->count] = change;
	marks->change[record] = ++diff->count;
}

/* What appeared below something that appeared is part of that. */
static void add_record(struct wm_arena *arena, struct wm_tree_diff *diff, struct marks *marks,
	const struct common *common, const struct side *before, const struct side *after,
	uint32_t record)
{
	uint64_t old = own_of(before, record), new = own_of(after, record);
	bool was = before->record[record] != WM_NONE, is = after->record[record] != WM_NONE;
	enum wm_tree_change_kind kind = was && is ? WM_TREE_MOVED
					: is	  ? WM_TREE_APPEARED
						  : WM_TREE_VANISHED;
	uint32_t above = marks->change[common->contexts.records[record].parent];
	if (kind == WM_TREE_MOVED && old == new) {
		diff->same++;
		return;
	}
	if (kind == WM_TREE_MOVED || !above || diff->changes[above - 1].kind != kind) {
		uint32_t shown = is ? after->record[record] : before->record[record];
		add_change(arena, diff, marks, record,
			(struct wm_tree_change){kind, old, new, 1, shown});
		return;
	}
	struct wm_tree_change *change = &diff->changes[above - 1];
	change->before += old;
	change->after += new;
	change->contexts++;
	marks->change[record] = above;
}

static uint64_t size_of(const struct wm_tree_change *change)
{
	return change->after > change->before ? change->after - change->before
					      : change->before - change->after;
}

static int by_size(const void *left, const void *right)
{
	const struct wm_tree_change *a = left, *b = right;
	if (size_of(a) != size_of(b))
		return size_of(a) > size_of(b) ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->record > b->record) - (a->record < b->record);
}

struct wm_tree_diff wm_tree_diff_make(
	struct wm_arena *arena, const struct wm_tree *before, const struct wm_tree *after)
{
	struct common common = {0};
	common.texts.arena = common.names.arena = &common.arena;
	common.functions.arena = common.sites.arena = &common.arena;
	common.contexts = wm_contexts_make(&common.arena);
	struct side old = make_side(&common, before), new = make_side(&common, after);
	const uint32_t *old_place = lay(&common, &old), *new_place = lay(&common, &new);
	turn_around(&common, &old, old_place);
	turn_around(&common, &new, new_place);
	struct wm_tree_diff diff = {.before = before, .after = after};
	struct marks marks = {.change = wm_arena_alloc(&common.arena, common.contexts.record_count,
				      sizeof *marks.change)};
	for (uint32_t i = 1; i < common.contexts.record_count; i++) {
		diff.before_total += own_of(&old, i);
		diff.after_total += own_of(&new, i);
		add_record(arena, &diff, &marks, &common, &old, &new, i);
	}
	if (diff.count)
		qsort(diff.changes, diff.count, sizeof *diff.changes, by_size);
	wm_arena_reset(&common.arena);
	return diff;
}
