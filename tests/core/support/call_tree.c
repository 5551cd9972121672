#include "support/call_tree.h"

#include "core/base/none.h"

struct call_tree parse_calls(const char *text)
{
	struct call_tree tree = {0};
	uint32_t open[MAX_CALLS] = {WM_NONE}, depth = 0;
	for (; *text; text++)
		if (*text == '(')
			open[++depth] = tree.count - 1;
		else if (*text == ')')
			depth--;
		else {
			tree.parent[tree.count] = open[depth];
			tree.function[tree.count++] = (uint32_t)(*text - 'A');
		}
	return tree;
}

struct call_tree make_random_calls(struct random_source *source, bool recursive)
{
	struct call_tree tree = {.count = 1 + random_below(source, MAX_CALLS)};
	uint32_t functions = 1 + random_below(source, MAX_FUNCTIONS);
	for (uint32_t i = 0; i < tree.count; i++) {
		uint32_t up = random_below(source, 3), parent = i - 1;
		for (; parent != WM_NONE && up > 0; up--)
			parent = tree.parent[parent];
		uint32_t least = recursive || parent == WM_NONE ? 0 : tree.function[parent] + 1;
		if (least >= functions)
			parent = WM_NONE;
		tree.parent[i] = parent;
		tree.function[i] = parent == WM_NONE || recursive
					   ? random_below(source, functions)
					   : least + random_below(source, functions - least);
		tree.site[i] = random_below(source, MAX_SITES);
	}
	return tree;
}

struct wm_contexts follow_calls(
	struct wm_arena *arena, const struct call_tree *tree, uint32_t *record)
{
	struct wm_contexts contexts = wm_contexts_make(arena);
	for (uint32_t i = 0; i < tree->count; i++) {
		uint32_t from =
			tree->parent[i] == WM_NONE ? WM_CONTEXT_OUTSIDE : record[tree->parent[i]];
		uint32_t link = wm_contexts_link(&contexts, from, tree->site[i], tree->function[i]);
		contexts.links[link].count++;
		record[i] = contexts.links[link].target;
	}
	return contexts;
}

bool is_active(const struct call_tree *tree, uint32_t call, uint32_t function)
{
	while (call != WM_NONE && tree->function[call] != function)
		call = tree->parent[call];
	return call != WM_NONE;
}
