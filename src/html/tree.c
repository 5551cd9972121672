/* Functions of a part are numbered as in the whole profile, in which the parts stand in a row. */
#include "html/tree.h"

#include "core/base/none.h"
#include "export/data.h"

/* The line of the call that made the record; 0 if it came from outside. */
static uint32_t line_of_call(
	const struct wm_profile *part, const struct wm_contexts *tree, uint32_t number)
{
	const struct wm_context_record *record = &tree->records[number];
	if (record->parent == WM_CONTEXT_OUTSIDE)
		return 0;
	uint32_t caller = tree->records[record->parent].function;
	const struct wm_function *function = part->functions[caller].function;
	return record->site < function->call_count ? function->calls[record->site].line : 0;
}

static void write_record(const struct wm_export_part *part, const uint64_t *recursion,
	uint32_t first_function, uint32_t number, struct wm_json *json)
{
	const struct wm_contexts *tree = &part->contexts.tree;
	const struct wm_context_record *record = &tree->records[number];
	wm_json_begin_array(json, NULL);
	wm_json_signed(json, NULL,
		record->function == WM_NONE ? -1 : (int64_t)first_function + record->function);
	wm_json_signed(json, NULL, record->parent == WM_NONE ? -1 : (int64_t)record->parent);
	wm_json_number(json, NULL, number ? line_of_call(part->profile, tree, number) : 0);
	wm_json_number(json, NULL, recursion[number]);
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (part->own[metric])
			wm_json_number(json, NULL, part->own[metric][number]);
	wm_json_end_array(json);
}

static void write_tree(struct wm_arena *arena, const struct wm_export_part *part,
	uint32_t first_function, struct wm_json *json)
{
	const struct wm_contexts *tree = &part->contexts.tree;
	const uint64_t *recursion = wm_contexts_recursion(arena, tree);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "object", part->name);
	wm_json_begin_array(json, "metrics");
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (part->own[metric])
			wm_json_text(json, NULL, wm_metric_texts[metric].name);
	wm_json_end_array(json);
	wm_json_begin_array(json, "records");
	for (uint32_t i = 0; i < tree->record_count; i++)
		write_record(part, recursion, first_function, i, json);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

void wm_html_trees_write(const struct wm_profile *profile, struct wm_json *json)
{
	struct wm_arena arena = {0};
	const struct wm_export_data data = wm_export_data_make(&arena, profile);
	uint32_t first_function = 0;
	wm_json_begin_array(json, "trees");
	for (uint32_t i = 0; i < data.part_count; i++) {
		if (data.parts[i].contexts.counted)
			write_tree(&arena, &data.parts[i], first_function, json);
		first_function += data.parts[i].profile->function_count;
	}
	wm_json_end_array(json);
	wm_arena_reset(&arena);
}
