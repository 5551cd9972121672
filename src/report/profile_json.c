/* The JSON form of a profile. Nothing is left out and nothing is rounded. */
#include "report/profile_json.h"

#include <inttypes.h>
#include <string.h>

#include "report/call_view.h"
#include "report/ending.h"
#include "report/json.h"
#include "report/path_json.h"
#include "report/place.h"
#include "report/text.h"

static void write_blocks(struct wm_json *json, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	if (!source->block)
		wm_json_flag(json, "blocks_known", false);
	wm_json_begin_array(json, "blocks");
	for (uint32_t i = 0; i < function->block_count; i++) {
		struct wm_place place = wm_place_of_block(function, i);
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "id", i);
		wm_json_number(json, "line", place.line);
		/* Only inlined code may stand in another file than its function. */
		if (place.line && strcmp(place.file, function->scopes[0].file) != 0)
			wm_json_text(json, "file", place.file);
		if (source->block)
			wm_json_number(json, "count", source->block[i]);
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

static void write_edges(struct wm_json *json, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	wm_json_flag(json, "edges_known", source->edge != NULL);
	wm_json_begin_array(json, "edges");
	for (uint32_t i = 0; source->edge && i < function->edge_count; i++) {
		if (function->edge_flags[i] & WM_EDGE_ABANDONED)
			continue;
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

static void write_function(struct wm_json *json, struct wm_arena *names,
	const struct wm_profile *profile, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	struct wm_place place = wm_place_of_function(function);
	char hash[17];
	snprintf(hash, sizeof hash, "%016" PRIx64, function->hash);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", function->name);
	wm_json_text(json, "display_name", wm_text_name(names, function->name));
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	wm_json_text(json, "hash", hash);
	write_measure(json, wm_function_measured(function));
	wm_json_flag(json, "early", function->flags & WM_DESCRIPTION_EARLY);
	wm_json_number(json, "counters", function->counter_count);
	wm_json_number(json, "increments", source->increments);
	wm_json_number(json, "instructions", source->instructions);
	if (source->block)
		wm_json_number(json, "entry_count", source->calls);
	write_blocks(json, source);
	write_edges(json, source);
	write_abandoned(json, source);
	wm_call_json_member(json, profile, source);
	wm_path_json_members(json, source);
	wm_json_end_object(json);
}

void wm_profile_json_write(const struct wm_profile *profile, FILE *out)
{
	struct wm_json json = {.out = out};
	struct wm_arena names = {0};
	wm_json_begin_object(&json, NULL);
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_number(&json, "runs", profile->file.runs);
	wm_ending_json(profile, &json);
	wm_json_number(&json, "instructions", profile->instructions);
	wm_json_begin_array(&json, "functions");
	for (uint32_t i = 0; i < profile->function_count; i++)
		write_function(&json, &names, profile, &profile->functions[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	wm_arena_reset(&names);
}
