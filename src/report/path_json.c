/* Paths in JSON. Counts are signed: where a call came back more often than it was made (fork) the
 * path that ends in it has a negative one. */
#include "report/path_json.h"

#include <inttypes.h>
#include <string.h>

#include "profile/hot_paths.h"
#include "names/path_name.h"
#include "profile/path_selection.h"
#include "report/path_source.h"
#include "report/place.h"
#include "report/text.h"

/* Where the next path starts: a block, or -1 if the function is left. */
static int64_t next_block(const struct wm_function *function, const struct wm_profile_path *path)
{
	if (path->end_edge >= function->edge_count)
		return -1;
	uint32_t target = function->edge_target[path->end_edge];
	return target == function->block_count ? -1 : (int64_t)target;
}

static const char *outcome_word(const struct wm_path_choice *choice)
{
	switch (choice->outcome) {
	case WM_OUTCOME_YES:
		return "yes";
	case WM_OUTCOME_NO:
		return "no";
	case WM_OUTCOME_CASE:
	case WM_OUTCOME_NO_CASE:
		return "case";
	default:
		return NULL;
	}
}

static void write_number_if(struct wm_json *json, const char *key, uint32_t number)
{
	if (number)
		wm_json_number(json, key, number);
	else
		wm_json_null(json, key);
}

static void write_choice(struct wm_json *json, const struct wm_path_choice *choice)
{
	const char *outcome = outcome_word(choice);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "file", choice->condition.file);
	write_number_if(json, "line", choice->condition.line);
	write_number_if(json, "column", choice->column);
	if (outcome)
		wm_json_text(json, "outcome", outcome);
	else
		wm_json_null(json, "outcome");
	write_number_if(json, "to_line", choice->to.line);
	if (choice->to.line && strcmp(choice->to.file, choice->condition.file) != 0)
		wm_json_text(json, "to_file", choice->to.file);
	if (choice->outcome == WM_OUTCOME_CASE)
		write_number_if(json, "to_column", choice->to_column);
	wm_json_end_object(json);
}

/* The branches of the path, as the source has them. */
static void write_steps(struct wm_json *json, struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path)
{
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	wm_json_begin_array(json, "steps");
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t count;
		const struct wm_path_choice *choices =
			wm_path_choices(arena, map, &steps[i], &count);
		for (size_t k = 0; k < count; k++)
			write_choice(json, &choices[k]);
	}
	wm_json_end_array(json);
}

/* A cost is a sum modulo 2^64; it is below zero where a signal's handler ran between two readings.
 */
static void write_cost(struct wm_json *json, const struct wm_function *function,
	const struct wm_profile_path *path)
{
	if (path->group)
		wm_json_number(json, "group", path->group - 1);
	if (!path->cost)
		return;
	wm_json_begin_array(json, "cost");
	for (uint32_t m = 0; m < function->meters->meter_count; m++)
		wm_json_signed(json, NULL, (int64_t)path->cost[m]);
	wm_json_end_array(json);
}

/* What was read, and the loops whose paths have one cost together. */
static void write_meters(struct wm_json *json, const struct wm_profile_function *source)
{
	const struct wm_meters_section *section = source->function->meters;
	if (!section || !source->paths)
		return;
	wm_json_begin_array(json, "metrics");
	for (uint32_t m = 0; m < section->meter_count; m++)
		wm_json_text(json, NULL, section->meters[m]);
	wm_json_end_array(json);
	wm_json_begin_array(json, "groups");
	for (uint32_t g = 0; g < section->group_count; g++) {
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "block", section->groups[g].block);
		wm_json_begin_array(json, "cost");
		for (uint32_t m = 0; m < section->meter_count; m++)
			wm_json_signed(json, NULL,
				(int64_t)source->group_cost[g * section->meter_count + m]);
		wm_json_end_array(json);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void write_basics(struct wm_json *json, const struct wm_function *function,
	const struct wm_profile_path *path)
{
	wm_json_number(json, "id", path->id);
	wm_json_signed(json, "count", (int64_t)path->count);
	wm_json_begin_array(json, "blocks");
	for (uint32_t i = 0; i < path->block_count; i++)
		wm_json_number(json, NULL, path->blocks[i]);
	wm_json_end_array(json);
	wm_json_flag(json, "partial", path->partial);
	wm_json_flag(json, "no_return", wm_profile_path_never_returns(function, path));
	wm_json_signed(json, "next", next_block(function, path));
	write_cost(json, function, path);
}

static void write_hash(struct wm_json *json, const struct wm_function *function)
{
	char hash[9];
	snprintf(hash, sizeof hash, "%08" PRIx32, wm_path_cfg_hash(function));
	wm_json_text(json, "cfg_hash", hash);
}

static void write_with_steps(
	struct wm_json *json, const struct wm_path_map *map, const struct wm_profile_path *path)
{
	struct wm_arena arena = {0};
	wm_json_begin_object(json, NULL);
	write_basics(json, map->function, path);
	write_steps(json, &arena, map, path);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_path_json_members(
	struct wm_json *json, const struct wm_profile_function *function, size_t top)
{
	struct wm_arena arena = {0};
	write_hash(json, function->function);
	wm_json_flag(json, "paths_known", function->paths != NULL);
	wm_json_number(json, "possible_paths", function->possible_paths);
	if (wm_path_selection_is_made(function))
		wm_json_number(json, "others", function->others);
	write_meters(json, function);
	wm_json_begin_array(json, "paths");
	if (function->path_count > 0) {
		struct wm_path_map map = wm_path_map_make(&arena, function, NULL);
		struct wm_hot_paths hot = {0};
		if (top > 0)
			wm_hot_paths_rank(&arena, function, 1, &hot);
		size_t count = top == 0 ? function->path_count : hot.count < top ? hot.count : top;
		for (size_t i = 0; i < count; i++)
			write_with_steps(
				json, &map, top > 0 ? hot.paths[i].path : &function->paths[i]);
	}
	wm_json_end_array(json);
	wm_arena_reset(&arena);
}

/* Where the code had a choice: in which block, which branch of how many, and where it led. */
static void write_outcomes(struct wm_json *json, struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_profile_path *path)
{
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	wm_json_begin_array(json, "outcomes");
	for (uint32_t i = 0; i < path->block_count; i++) {
		if (!wm_path_step_chooses(map, &steps[i]))
			continue;
		uint32_t target = map->function->edge_target[steps[i].edge];
		bool leaves = target == map->function->block_count;
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "block", steps[i].block);
		wm_json_number(json, "way", steps[i].branch);
		wm_json_number(json, "ways", steps[i].branches);
		wm_json_signed(json, "to", leaves ? -1 : (int64_t)target);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void write_members(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *path)
{
	uint64_t id = path->id;
	const struct wm_path_name name = {function->function->name,
		wm_path_cfg_hash(function->function), .id_count = 1, .ids = &id};
	wm_json_text(json, "name", wm_path_name_text(arena, &name));
	write_basics(json, function->function, path);
	if (!wm_path_selection_counts(function, path))
		wm_json_flag(json, "counted", false);
	wm_json_number(json, "instructions", wm_hot_path_instructions(function, path));
	wm_json_text(json, "source", wm_path_form(arena, map, &path, 1, ", "));
	write_steps(json, arena, map, path);
	write_outcomes(json, arena, map, path);
}

void wm_path_json_source_members(struct wm_json *json, struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_profile_path *path)
{
	wm_json_text(json, "source", wm_path_form(arena, map, &path, 1, ", "));
	write_steps(json, arena, map, path);
}

void wm_path_json_steps_members(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *path)
{
	uint64_t id = path->id;
	const struct wm_path_name name = {function->function->name,
		wm_path_cfg_hash(function->function), .id_count = 1, .ids = &id};
	wm_json_text(json, "name", wm_path_name_text(arena, &name));
	wm_json_number(json, "id", id);
	wm_path_json_source_members(json, arena, map, path);
}

void wm_path_json_with_lines(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *path)
{
	size_t count;
	const struct wm_path_mark *marks = wm_path_marks(arena, map, &path, 1, &count);
	wm_json_begin_object(json, NULL);
	write_members(json, arena, function, map, path);
	wm_json_begin_array(json, "lines");
	for (size_t i = 0; i < count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "file", marks[i].file);
		wm_json_number(json, "line", marks[i].line);
		wm_json_text(json, "outcomes", marks[i].outcomes);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_path(struct wm_json *json, const struct wm_profile_function *function,
	const struct wm_path_map *map, const struct wm_profile_path *path)
{
	struct wm_arena arena = {0};
	wm_json_begin_object(json, NULL);
	write_members(json, &arena, function, map, path);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

/* The blocks where paths end and start again. */
static void write_starts(
	struct wm_json *json, struct wm_arena *arena, const struct wm_function *function)
{
	bool *starts = wm_arena_alloc(arena, (size_t)function->block_count + 1, sizeof *starts);
	for (uint32_t e = 0; e < function->edge_count; e++)
		starts[function->edge_target[e]] |= function->edge_flags[e] & WM_EDGE_CUT;
	wm_json_begin_array(json, "starts");
	for (uint32_t b = 0; b < function->block_count; b++)
		if (starts[b])
			wm_json_number(json, NULL, b);
	wm_json_end_array(json);
}

void wm_path_json_function(
	struct wm_json *json, const struct wm_profile_function *source, size_t top)
{
	struct wm_arena arena = {0};
	const struct wm_function *function = source->function;
	struct wm_place place = wm_place_of_function(function);
	struct wm_path_map map = wm_path_map_make(&arena, source, NULL);
	struct wm_hot_paths hot;
	wm_hot_paths_rank(&arena, source, 1, &hot);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", function->name);
	wm_json_text(json, "display_name", wm_text_name(&arena, function->name));
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	write_hash(json, function);
	wm_json_number(json, "instructions", source->instructions);
	wm_json_number(json, "possible_paths", source->possible_paths);
	wm_json_number(json, "executed_paths", hot.count);
	if (wm_path_selection_is_made(source))
		wm_json_number(json, "others", source->others);
	write_starts(json, &arena, function);
	wm_json_begin_array(json, "paths");
	for (size_t i = 0; i < hot.count && i < top; i++)
		write_path(json, source, &map, hot.paths[i].path);
	wm_json_end_array(json);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}
