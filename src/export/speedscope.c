/* speedscope's file format: frames once, then a list of samples for each metric. A sample is a
 * stack, from the outermost frame, and its weight is the stack's own cost. Callers come before
 * callees, so that what is shown in the order of the file is the tree. */
#include "core/base/none.h"
#include "export/format.h"
#include "export/stacks.h"
#include "report/json.h"

struct writer {
	struct wm_json json;
	const struct wm_stacks *stacks;
	struct wm_stack_children children;
	uint32_t *order; /* stacks, callers before callees, those of one caller by name */
	uint32_t count;
};

static void find_order(struct writer *writer, uint32_t parent)
{
	for (uint32_t i = writer->children.start[parent]; i < writer->children.start[parent + 1];
		i++) {
		writer->order[writer->count++] = writer->children.list[i];
		find_order(writer, writer->children.list[i]);
	}
}

static void write_frames(struct writer *writer)
{
	struct wm_json *json = &writer->json;
	wm_json_begin_object(json, "shared");
	wm_json_begin_array(json, "frames");
	for (uint32_t i = 0; i < writer->stacks->frame_count; i++) {
		const struct wm_frame *frame = &writer->stacks->frames[i];
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "name", frame->name);
		if (frame->file[0])
			wm_json_text(json, "file", frame->file);
		if (frame->line)
			wm_json_number(json, "line", frame->line);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_sample(struct writer *writer, uint32_t stack)
{
	if (writer->stacks->list[stack].parent != WM_NONE)
		write_sample(writer, writer->stacks->list[stack].parent);
	wm_json_number(&writer->json, NULL, writer->stacks->list[stack].frame);
}

static void write_samples(struct writer *writer, const uint64_t *own)
{
	wm_json_begin_array(&writer->json, "samples");
	for (uint32_t i = 0; i < writer->count; i++) {
		if (!own[writer->order[i]])
			continue;
		wm_json_begin_array(&writer->json, NULL);
		write_sample(writer, writer->order[i]);
		wm_json_end_array(&writer->json);
	}
	wm_json_end_array(&writer->json);
	wm_json_begin_array(&writer->json, "weights");
	for (uint32_t i = 0; i < writer->count; i++)
		if (own[writer->order[i]])
			wm_json_number(&writer->json, NULL, own[writer->order[i]]);
	wm_json_end_array(&writer->json);
}

static void write_profile(
	struct writer *writer, const struct wm_export_data *data, enum wm_metric metric)
{
	struct wm_json *json = &writer->json;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "type", "sampled");
	wm_json_text(json, "name", wm_metric_texts[metric].name);
	wm_json_text(json, "unit", "none");
	wm_json_number(json, "startValue", 0);
	wm_json_number(json, "endValue", data->total[metric]);
	write_samples(writer, writer->stacks->own[metric]);
	wm_json_end_object(json);
}

static void write_document(struct writer *writer, const struct wm_export_data *data,
	const struct wm_export_request *request)
{
	struct wm_json *json = &writer->json;
	char exporter[64];
	snprintf(exporter, sizeof exporter, "waymark %s", request->version);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	wm_json_text(json, "exporter", exporter);
	wm_json_text(json, "name", data->parts[0].name);
	wm_json_number(json, "activeProfileIndex", 0);
	write_frames(writer);
	wm_json_begin_array(json, "profiles");
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (request->only[metric])
			write_profile(writer, data, metric);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

void wm_export_speedscope(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	struct wm_arena scratch = {0};
	const struct wm_stacks stacks = wm_stacks_make(data, false);
	struct writer writer = {.json = {.out = out},
		.stacks = &stacks,
		.children = wm_stacks_children(&scratch, &stacks),
		.order = wm_arena_alloc(&scratch, stacks.count, sizeof *writer.order)};
	find_order(&writer, stacks.count);
	write_document(&writer, data, request);
	wm_arena_reset(&scratch);
}
