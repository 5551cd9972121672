/* The calling context tree, whole, for programs. */
#include "core/contexts/costs.h"
#include "report/json.h"
#include "report/tree_rows.h"
#include "report/tree_shape.h"

static void write_site(struct wm_json *json, const struct wm_profile *profile,
	const struct wm_contexts *tree, uint32_t source, uint32_t site)
{
	if (source == WM_CONTEXT_OUTSIDE) {
		wm_json_text(json, "from", wm_tree_outside(site));
		return;
	}
	const struct wm_function *caller =
		profile->functions[tree->records[source].function].function;
	wm_json_number(json, "call", site);
	wm_json_number(json, "line", caller->calls[site].line);
}

/* What each function's contexts have in their subtrees. */
static void write_functions(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile *profile, const struct wm_contexts *tree)
{
	const uint64_t *entries = wm_contexts_entries(arena, tree);
	const struct wm_context_sum *sums =
		wm_context_sums(arena, tree, entries, profile->function_count);
	wm_json_begin_array(json, "functions");
	for (uint32_t i = 0; i < profile->function_count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "function", profile->functions[i].function->name);
		wm_json_number(json, "subtree", sums[i].cost);
		wm_json_flag(json, "lower_bound", sums[i].is_lower_bound);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

void wm_tree_json_write(
	const struct wm_profile *profile, const struct wm_profile_contexts *contexts, FILE *out)
{
	struct wm_json json = {.out = out};
	struct wm_arena arena = {0};
	const struct wm_contexts *tree = &contexts->tree;
	wm_json_begin_document(&json, "tree");
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_tree_shape_write(profile, tree, &json);
	wm_json_begin_array(&json, "contexts");
	for (uint32_t i = 1; i < tree->record_count; i++) {
		wm_json_begin_object(&json, NULL);
		wm_json_number(&json, "id", i);
		wm_json_number(&json, "parent", tree->records[i].parent);
		wm_json_text(&json, "function",
			profile->functions[tree->records[i].function].function->name);
		write_site(&json, profile, tree, tree->records[i].parent, tree->records[i].site);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "calls");
	for (uint32_t i = 0; i < tree->link_count; i++) {
		const struct wm_context_link *link = &tree->links[i];
		wm_json_begin_object(&json, NULL);
		wm_json_number(&json, "source", link->source);
		write_site(&json, profile, tree, link->source, link->site);
		wm_json_number(&json, "target", link->target);
		wm_json_number(&json, "count", link->count);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	write_functions(&json, &arena, profile, tree);
	wm_json_end_object(&json);
	wm_arena_reset(&arena);
}
