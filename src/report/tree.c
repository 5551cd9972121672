#include "report/tree.h"

struct wm_tree wm_tree_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, bool by_function)
{
	struct wm_tree tree = {.profile = profile,
		.by_site = &contexts->tree,
		.contexts = by_function ? wm_contexts_merge_sites(arena, &contexts->tree).contexts
					: contexts->tree,
		.by_function = by_function,
		.metric = "calls",
		.names = wm_short_names_make(arena, profile, false)};
	tree.entries = wm_contexts_entries(arena, &tree.contexts);
	tree.own = tree.entries;
	tree.recursion = wm_contexts_recursion(arena, &tree.contexts);
	tree.is_lower_bound = wm_context_lower_bounds(arena, &tree.contexts);
	return tree;
}
