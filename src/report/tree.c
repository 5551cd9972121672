#include "report/tree.h"

#include <string.h>

#include "report/short_names.h"

/* The stem of a function's paths, without the mark that ids come behind. */
static const char **make_names(struct wm_arena *arena, const struct wm_profile *profile)
{
	const struct wm_short_names *names = wm_short_names_make(arena, profile, false);
	const char **made = wm_arena_alloc(arena, profile->function_count, sizeof *made);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const char *stem = wm_short_names_stem(arena, names, &profile->functions[i]);
		char *name = wm_arena_copy_text(arena, stem);
		name[strlen(name) - 1] = '\0';
		made[i] = name;
	}
	return made;
}

/* Entries of contexts below those whose callers were beyond the limit. */
static uint64_t count_folded(const struct wm_tree *tree)
{
	struct wm_arena scratch = {0};
	const struct wm_contexts *contexts = &tree->contexts;
	bool *folded = wm_arena_alloc(&scratch, contexts->record_count, sizeof *folded);
	uint64_t entries = 0;
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		const struct wm_context_record *record = &contexts->records[i];
		folded[i] =
			folded[record->parent] || (record->parent == WM_CONTEXT_OUTSIDE &&
							  record->site == WM_CONTEXT_SITE_FOLDED);
		entries += folded[i] ? tree->entries[i] : 0;
	}
	wm_arena_reset(&scratch);
	return entries;
}

static const bool *find_lower_bounds(struct wm_arena *arena, const struct wm_tree *tree)
{
	const struct wm_contexts *contexts = &tree->contexts;
	bool *is_lower_bound = wm_context_lower_bounds(arena, contexts);
	for (uint32_t i = 1; tree->folded && i < contexts->record_count; i++) {
		uint32_t function = contexts->records[i].function;
		is_lower_bound[i] |= tree->profile->functions[function].function->call_count > 0;
	}
	return is_lower_bound;
}

struct wm_tree wm_tree_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, bool by_function)
{
	struct wm_contexts_by_function merged = {.contexts = contexts->tree};
	if (by_function)
		merged = wm_contexts_merge_sites(arena, &contexts->tree);
	struct wm_tree tree = {.profile = profile,
		.by_site = &contexts->tree,
		.found = contexts,
		.record_of = merged.record_of,
		.contexts = merged.contexts,
		.by_function = by_function,
		.metric = "calls",
		.names = make_names(arena, profile)};
	tree.entries = wm_contexts_entries(arena, &tree.contexts);
	tree.own = tree.entries;
	tree.recursion = wm_contexts_recursion(arena, &tree.contexts);
	tree.folded = count_folded(&tree);
	tree.is_lower_bound = find_lower_bounds(arena, &tree);
	return tree;
}

struct wm_context_sum *wm_tree_sums(struct wm_arena *arena, const struct wm_tree *tree)
{
	struct wm_context_sum *sums =
		wm_context_sums(arena, &tree->contexts, tree->own, tree->profile->function_count);
	for (uint32_t i = 1; i < tree->contexts.record_count; i++)
		sums[tree->contexts.records[i].function].is_lower_bound |= tree->is_lower_bound[i];
	return sums;
}

const uint64_t *wm_tree_figures(
	struct wm_arena *arena, const struct wm_tree *tree, const struct wm_event_kind *kind)
{
	const uint64_t *own = wm_profile_contexts_own(arena, tree->profile, tree->found, kind);
	if (!own || !tree->by_function)
		return own;
	const struct wm_contexts_by_function merged = {tree->contexts, tree->record_of};
	return wm_contexts_merge_figures(arena, tree->by_site, &merged, own);
}

/* Contexts count calls, and counters the entries of functions: neither is made from the other. */
struct wm_tree_difference wm_tree_check(const struct wm_tree *tree)
{
	struct wm_arena scratch = {0};
	struct wm_tree_difference difference = {0};
	const struct wm_profile *profile = tree->profile;
	uint64_t *entries = wm_arena_alloc(&scratch, profile->function_count, sizeof *entries);
	for (uint32_t i = 1; i < tree->contexts.record_count; i++)
		entries[tree->contexts.records[i].function] += tree->entries[i];
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		if (!function->function->has_contexts || !function->block ||
			entries[i] == function->calls)
			continue;
		if (difference.functions++ == 0)
			difference = (struct wm_tree_difference){1, i, entries[i], function->calls};
	}
	wm_arena_reset(&scratch);
	return difference;
}
