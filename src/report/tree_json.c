/* The calling context tree, whole, for programs. */
#include "core/base/none.h"
#include "core/contexts/apportion.h"
#include "core/contexts/costs.h"
#include "report/context_name.h"
#include "report/json.h"
#include "report/tree_rows.h"
#include "report/tree_shape.h"

static void write_site(
	struct wm_json *json, const struct wm_tree *tree, uint32_t source, uint32_t site)
{
	if (source == WM_CONTEXT_OUTSIDE) {
		wm_json_text(json, "from", wm_tree_outside(site));
		return;
	}
	if (tree->by_function)
		return;
	uint32_t caller = tree->contexts.records[source].function;
	wm_json_number(json, "call", site);
	wm_json_number(json, "line", tree->profile->functions[caller].function->calls[site].line);
}

static const char *name_of(const struct wm_tree *tree, uint32_t function)
{
	return tree->profile->functions[function].function->name;
}

/* What the record spent itself of each kind that blocks spend. */
static void write_own(struct wm_json *json, const uint64_t *const *figures, uint32_t record)
{
	if (!figures[WM_EVENT_INSTRUCTIONS])
		return;
	wm_json_begin_object(json, "own");
	for (int event = 0; event < WM_EVENT_CALLS; event++)
		if (figures[event])
			wm_json_number(json, wm_event_names[event], figures[event][record]);
	wm_json_end_object(json);
}

static void write_contexts(struct wm_json *json, struct wm_arena *arena, const struct wm_tree *tree)
{
	const struct wm_contexts *contexts = &tree->contexts;
	const uint64_t *figures[WM_EVENT_CALLS];
	for (int event = 0; event < WM_EVENT_CALLS; event++) {
		const struct wm_event_kind kind = {
			wm_event_names[event], (enum wm_event)event, NULL};
		figures[event] = wm_tree_figures(arena, tree, &kind);
	}
	wm_json_begin_array(json, "contexts");
	for (uint32_t i = 1; i < contexts->record_count; i++) {
		struct wm_arena scratch = {0};
		const struct wm_context_record *record = &contexts->records[i];
		const char *name = wm_context_name(&scratch, tree, i);
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "id", i);
		wm_json_number(json, "parent", record->parent);
		wm_json_text(json, "function", name_of(tree, record->function));
		write_site(json, tree, record->parent, record->site);
		wm_json_text(json, "name", name);
		wm_json_text(json, "short_name", wm_context_short_name(&scratch, tree, i, name));
		wm_json_flag(json, "lower_bound", tree->is_lower_bound[i]);
		write_own(json, figures, i);
		wm_json_end_object(json);
		wm_arena_reset(&scratch);
	}
	wm_json_end_array(json);
}

static void write_calls(struct wm_json *json, const struct wm_tree *tree)
{
	wm_json_begin_array(json, "calls");
	for (uint32_t i = 0; i < tree->contexts.link_count; i++) {
		const struct wm_context_link *link = &tree->contexts.links[i];
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "source", link->source);
		write_site(json, tree, link->source, link->site);
		wm_json_number(json, "target", link->target);
		wm_json_number(json, "count", link->count);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

/* What each function's contexts have in their subtrees. */
static void write_functions(
	struct wm_json *json, struct wm_arena *arena, const struct wm_tree *tree)
{
	uint32_t count = tree->profile->function_count;
	const struct wm_context_sum *sums = wm_tree_sums(arena, tree);
	wm_json_begin_array(json, "functions");
	for (uint32_t i = 0; i < count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "function", name_of(tree, i));
		wm_json_number(json, "subtree", sums[i].cost);
		wm_json_flag(json, "lower_bound", sums[i].is_lower_bound);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

/* Pairs of functions, with what gprof would say. */
static void write_pairs(struct wm_json *json, struct wm_arena *arena, const struct wm_tree *tree)
{
	uint32_t functions = tree->profile->function_count;
	const struct wm_call_graph graph =
		wm_call_graph_make(arena, &tree->contexts, tree->entries, functions);
	const double *given =
		wm_call_graph_apportion(arena, &graph, &tree->contexts, tree->entries, functions);
	wm_json_begin_array(json, "pairs");
	for (uint32_t i = 0; i < graph.arc_count; i++) {
		const struct wm_context_arc *arc = &graph.arcs[i];
		if (arc->caller == WM_NONE)
			continue;
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "caller", name_of(tree, arc->caller));
		wm_json_text(json, "callee", name_of(tree, arc->callee));
		wm_json_number(json, "calls", arc->calls);
		if (!wm_call_graph_is_inner(&graph, i, functions)) {
			wm_json_number(json, "subtree", arc->cost);
			wm_json_real(json, "gprof", given[i]);
		}
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

void wm_tree_json_write(const struct wm_tree *tree, FILE *out)
{
	struct wm_json json = {.out = out};
	struct wm_arena arena = {0};
	wm_json_begin_document(&json, "tree");
	wm_json_text(&json, "program", tree->profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&tree->profile->file.build_id).text);
	wm_json_text(&json, "by", tree->by_function ? "function" : "site");
	wm_json_number(&json, "beyond_limit", tree->folded);
	wm_json_number(&json, "functions_that_differ", wm_tree_check(tree).functions);
	wm_tree_shape_write(tree, &json);
	write_contexts(&json, &arena, tree);
	write_calls(&json, tree);
	write_functions(&json, &arena, tree);
	write_pairs(&json, &arena, tree);
	wm_json_end_object(&json);
	wm_arena_reset(&arena);
}
