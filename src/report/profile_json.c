/* The JSON form of a profile. Nothing is rounded; nothing is left out unless asked. */
#include "report/profile_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/call_view.h"
#include "report/ending.h"
#include "report/json.h"
#include "report/path_json.h"
#include "report/place.h"
#include "report/text.h"
#include "report/thread_view.h"
#include "report/time_view.h"

struct element {
	uint64_t weight;
	uint32_t index;
};

struct elements {
	uint32_t count;
	struct element *list;
};

/* What is written, and how much of it: 0 is all. */
struct writer {
	struct wm_json json;
	struct wm_arena arena;
	size_t top;
	const struct wm_time *time; /* or NULL */
};

static int compare_elements(const void *left, const void *right)
{
	const struct element *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* All in their order or, if only some are wanted, the heaviest. */
static void choose(const struct writer *writer, struct elements *elements)
{
	if (writer->top == 0 || elements->count == 0)
		return;
	qsort(elements->list, elements->count, sizeof *elements->list, compare_elements);
	if (elements->count > writer->top)
		elements->count = (uint32_t)writer->top;
}

static void add(struct elements *elements, uint64_t weight, uint32_t index)
{
	elements->list[elements->count++] = (struct element){weight, index};
}

static struct elements make_room(struct wm_arena *arena, size_t count)
{
	return (struct elements){.list = wm_arena_alloc(arena, count, sizeof(struct element))};
}

static void write_count(struct wm_json *json, const char *key, bool known, uint64_t count)
{
	if (known)
		wm_json_number(json, key, count);
	else
		wm_json_null(json, key);
}

static void write_blocks(struct writer *writer, const struct wm_profile_function *source)
{
	struct wm_json *json = &writer->json;
	const struct wm_function *function = source->function;
	struct elements blocks = make_room(&writer->arena, function->block_count);
	for (uint32_t i = 0; i < function->block_count; i++)
		add(&blocks,
			source->block ? source->block[i] * function->blocks[i].instructions : 0, i);
	choose(writer, &blocks);
	wm_json_flag(json, "blocks_known", source->block != NULL);
	wm_json_begin_array(json, "blocks");
	for (uint32_t k = 0; k < blocks.count; k++) {
		uint32_t i = blocks.list[k].index;
		struct wm_place place = wm_place_of_block(function, i);
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "id", i);
		wm_json_number(json, "line", place.line);
		/* Only inlined code may stand in another file than its function. */
		if (place.line && strcmp(place.file, function->scopes[0].file) != 0)
			wm_json_text(json, "file", place.file);
		write_count(
			json, "count", source->block != NULL, source->block ? source->block[i] : 0);
		wm_json_number(json, "instructions", function->blocks[i].instructions);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static int64_t vertex_id(const struct wm_function *function, uint32_t vertex)
{
	return vertex == function->block_count ? -1 : (int64_t)vertex;
}

/* Blocks in whose calls control was lost (exit, longjmp, an exception) or, negatively, came back
 * once more (fork). */
static void write_abandoned(struct wm_json *json, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	wm_json_begin_array(json, "left_early");
	for (uint32_t i = 0; source->edge && i < function->edge_count; i++) {
		if (!(function->edge_flags[i] & WM_EDGE_ABANDONED) || !source->edge[i])
			continue;
		wm_json_begin_object(json, NULL);
		wm_json_signed(json, "block", vertex_id(function, function->edge_source[i]));
		wm_json_signed(json, "count", (int64_t)source->edge[i]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void write_edges(struct writer *writer, const struct wm_profile_function *source)
{
	struct wm_json *json = &writer->json;
	const struct wm_function *function = source->function;
	struct elements edges = make_room(&writer->arena, function->edge_count);
	for (uint32_t i = 0; source->edge && i < function->edge_count; i++)
		if (!(function->edge_flags[i] & WM_EDGE_ABANDONED))
			add(&edges, source->edge[i], i);
	choose(writer, &edges);
	wm_json_flag(json, "edges_known", source->edge != NULL);
	wm_json_begin_array(json, "edges");
	for (uint32_t k = 0; k < edges.count; k++) {
		uint32_t i = edges.list[k].index;
		wm_json_begin_object(json, NULL);
		wm_json_signed(json, "from", vertex_id(function, function->edge_source[i]));
		wm_json_signed(json, "to", vertex_id(function, function->edge_target[i]));
		wm_json_number(json, "count", source->edge[i]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void write_measure(struct wm_json *json, const struct wm_section *section)
{
	if (!section)
		return;
	wm_json_text(json, "profile", wm_quantity_word(section->measure.quantity));
	wm_json_text(json, "placement", wm_placement_word(section->measure.placement));
}

static void write_hash(struct wm_json *json, const char *key, uint64_t hash)
{
	char text[17];
	snprintf(text, sizeof text, "%016" PRIx64, hash);
	wm_json_text(json, key, text);
}

static void write_function(struct writer *writer, const struct wm_profile *profile,
	const struct wm_profile_function *source)
{
	struct wm_json *json = &writer->json;
	const struct wm_function *function = source->function;
	struct wm_place place = wm_place_of_function(function);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", function->name);
	wm_json_text(json, "display_name", wm_text_name(&writer->arena, function->name));
	if (source->library)
		wm_json_text(json, "library", source->library);
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	write_hash(json, "hash", function->hash);
	if (function->code)
		write_hash(json, "code_hash", function->code);
	write_measure(json, wm_function_measured(function));
	wm_json_flag(json, "early", function->flags & WM_DESCRIPTION_EARLY);
	wm_json_number(json, "counters", function->counter_count);
	wm_json_number(json, "increments", source->increments);
	wm_json_number(json, "instructions", source->instructions);
	write_count(json, "entry_count", source->block != NULL, source->calls);
	if (writer->time)
		wm_time_json_tally(json, "time", writer->time,
			&writer->time->function[source - profile->functions]);
	write_blocks(writer, source);
	write_edges(writer, source);
	write_abandoned(json, source);
	wm_call_json_member(json, profile, source);
	wm_path_json_members(json, source, writer->top);
	wm_json_end_object(json);
	wm_arena_reset(&writer->arena);
}

static void write_functions(struct writer *writer, const struct wm_profile *profile)
{
	struct wm_arena arena = {0};
	struct elements functions = make_room(&arena, profile->function_count);
	for (uint32_t i = 0; i < profile->function_count; i++)
		add(&functions, profile->functions[i].instructions, i);
	choose(writer, &functions);
	wm_json_number(
		&writer->json, "functions_left_out", profile->function_count - functions.count);
	wm_json_begin_array(&writer->json, "functions");
	for (uint32_t k = 0; k < functions.count; k++)
		write_function(writer, profile, &profile->functions[functions.list[k].index]);
	wm_json_end_array(&writer->json);
	wm_arena_reset(&arena);
}

void wm_profile_json_objects(const struct wm_profile *profile, struct wm_json *json)
{
	wm_json_begin_array(json, "objects");
	for (uint32_t i = 0; i < profile->part_count; i++) {
		const struct wm_profile *part = &profile->parts[i];
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "path", part->object.path);
		wm_json_text(json, "build_id", wm_build_id_text(&part->file.build_id).text);
		wm_json_number(json, "runs", part->file.runs);
		wm_json_number(json, "instructions", part->instructions);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

void wm_profile_json_write(const struct wm_profile *profile, const struct wm_threads *threads,
	const struct wm_time *time, size_t top, FILE *out)
{
	struct writer writer = {.json = {.out = out}, .top = top, .time = time};
	struct wm_json *json = &writer.json;
	wm_json_begin_document(json, "report");
	wm_json_text(json, "program", profile->object.path);
	wm_json_text(json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_number(json, "runs", profile->file.runs);
	wm_ending_json(profile, json);
	wm_json_number(json, "instructions", profile->instructions);
	wm_profile_json_objects(profile, json);
	if (threads)
		wm_thread_json_members(json, threads);
	if (time)
		wm_time_json_member(json, time);
	write_functions(&writer, profile);
	wm_json_end_object(json);
}
