/* A function's calls are told by the callee's number, if it is counted, so that the page can turn
 * them around and tell its callers. */
#include "html/functions.h"

#include <stdlib.h>
#include <string.h>

#include "html/paths.h"
#include "names/path_name.h"
#include "profile/call_counts.h"
#include "profile/hot_paths.h"
#include "profile/path_selection.h"
#include "report/path_groups.h"
#include "report/place.h"
#include "report/text.h"

enum { MAX_ROUTES = 500, WIDEST_NAME = 200 };

struct named {
	const char *name;
	uint32_t number;
};

/* The paths of a function that the page holds, in their order. */
struct written {
	const struct wm_profile_path **paths;
	size_t count;
};

struct writer {
	struct wm_arena *arena;
	const struct wm_html_side *side;
	struct wm_html_files *files;
	struct wm_json *json;
	struct named *names;	 /* of functions, in their order */
	struct written *written; /* by function */
};

static int compare_names(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

static void gather_names(struct writer *writer)
{
	const struct wm_profile *profile = writer->side->profile;
	writer->names =
		wm_arena_alloc(writer->arena, profile->function_count, sizeof *writer->names);
	for (uint32_t i = 0; i < profile->function_count; i++)
		writer->names[i] = (struct named){profile->functions[i].function->name, i};
	if (profile->function_count > 0)
		qsort(writer->names, profile->function_count, sizeof *writer->names, compare_names);
}

/* The callee's number or, if it is not counted, its name. */
static void write_callee(struct writer *writer, const char *name)
{
	const struct named key = {name, 0};
	const struct named *found = bsearch(&key, writer->names,
		writer->side->profile->function_count, sizeof key, compare_names);
	if (found)
		wm_json_number(writer->json, NULL, found->number);
	else
		wm_json_text(writer->json, NULL, wm_text_short_name(writer->arena, name));
}

static void write_bound(struct wm_json *json, int64_t bound, int64_t none)
{
	if (bound == none)
		wm_json_null(json, NULL);
	else
		wm_json_signed(json, NULL, bound);
}

/* Of each call [callee, file, line, least, most]. */
static void write_calls(struct writer *writer, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	const struct wm_interval *counts =
		wm_call_counts(writer->arena, writer->side->profile, source);
	wm_json_begin_array(writer->json, "calls");
	for (uint32_t i = 0; i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		if (!call->callee || !call->callee[0] || counts[i].high == 0)
			continue;
		const char *file = call->line ? function->scopes[call->scope].file : "";
		wm_json_begin_array(writer->json, NULL);
		write_callee(writer, call->callee);
		wm_json_signed(writer->json, NULL, wm_html_files_number(writer->files, file));
		wm_json_number(writer->json, NULL, call->line);
		write_bound(writer->json, counts[i].low, WM_NO_LOW);
		write_bound(writer->json, counts[i].high, WM_NO_HIGH);
		wm_json_end_array(writer->json);
	}
	wm_json_end_array(writer->json);
}

/* Of each block [times it ran or null, file, line...], and of each edge [from, to, times or null].
 * The end of the function is the number of blocks. */
static void write_graph(struct writer *writer, const struct wm_path_map *map,
	const struct wm_profile_function *source)
{
	struct wm_json *json = writer->json;
	const struct wm_function *function = source->function;
	wm_json_begin_array(json, "blocks");
	for (uint32_t b = 0; b < function->block_count; b++) {
		wm_json_begin_array(json, NULL);
		if (source->block)
			wm_json_number(json, NULL, source->block[b]);
		else
			wm_json_null(json, NULL);
		for (size_t i = 0; i < map->line_count[b]; i++) {
			const struct wm_block_line *line = &map->lines[b][i];
			wm_json_signed(json, NULL, wm_html_files_number(writer->files, line->file));
			wm_json_number(json, NULL, line->line);
		}
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
	wm_json_begin_array(json, "edges");
	for (uint32_t e = 0; e < function->edge_count; e++) {
		if (function->edge_flags[e] & WM_EDGE_ABANDONED)
			continue;
		wm_json_begin_array(json, NULL);
		wm_json_number(json, NULL, function->edge_source[e]);
		wm_json_number(json, NULL, function->edge_target[e]);
		if (source->edge)
			wm_json_number(json, NULL, source->edge[e]);
		else
			wm_json_null(json, NULL);
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
}

/* What stands before the number in the names of its paths. */
static const char *name_of(struct writer *writer, const struct wm_profile_function *source)
{
	char *name = wm_arena_copy_text(
		writer->arena, wm_short_names_stem(writer->arena, writer->side->names, source));
	size_t length = strlen(name);
	if (length > 0 && name[length - 1] == '#')
		name[length - 1] = '\0';
	return name;
}

static void write_head(struct writer *writer, const struct wm_profile_function *source)
{
	struct wm_json *json = writer->json;
	struct wm_place place = wm_place_of_function(source->function);
	wm_json_text(json, "name", name_of(writer, source));
	wm_json_text(json, "linker", source->function->name);
	wm_json_signed(json, "file", wm_html_files_number(writer->files, place.file));
	wm_json_number(json, "line", place.line);
	if (source->library)
		wm_json_text(json, "library", source->library);
	wm_json_number(json, "instructions", source->instructions);
	if (source->block)
		wm_json_number(json, "entries", source->calls);
	wm_json_flag(json, "paths_known", source->paths != NULL);
	wm_json_number(json, "possible", source->possible_paths);
	wm_json_number(json, "shape", wm_path_cfg_hash(source->function));
}

/* A function that never ran is told by its head, and by the branches that it has. */
static void write_function(struct writer *writer, uint32_t number)
{
	const struct wm_profile_function *source = &writer->side->profile->functions[number];
	struct wm_arena arena = {0};
	struct wm_path_map map = wm_path_map_make(&arena, source, writer->side->sources);
	const struct wm_html_branches branches = wm_html_branches_make(&arena, &map, source);
	struct written *written = &writer->written[number];
	wm_json_begin_object(writer->json, NULL);
	write_head(writer, source);
	wm_html_branches_write(&branches, writer->files, writer->json);
	if (source->calls || source->instructions) {
		written->paths = wm_html_paths_write(writer->arena, &map, source, &branches,
			writer->files, writer->json, &written->count);
		write_calls(writer, source);
		write_graph(writer, &map, source);
	}
	wm_json_end_object(writer->json);
	wm_arena_reset(&arena);
}

/* The index of the path among those that the page holds, or their number. */
static size_t index_of(const struct written *written, const struct wm_profile_path *path)
{
	size_t i = 0;
	while (i < written->count && written->paths[i] != path)
		i++;
	return i;
}

static void write_route(struct writer *writer, const struct wm_path_group *group)
{
	struct wm_json *json = writer->json;
	size_t function = (size_t)(group->function - writer->side->profile->functions);
	const struct written *written = &writer->written[function];
	for (size_t i = 0; i < group->piece_count; i++)
		if (index_of(written, group->pieces[i]) == written->count)
			return;
	wm_json_begin_array(json, NULL);
	wm_json_number(json, NULL, function);
	wm_json_begin_array(json, NULL);
	for (size_t i = 0; i < group->piece_count; i++)
		wm_json_number(json, NULL, index_of(written, group->pieces[i]));
	wm_json_end_array(json);
	wm_json_number(json, NULL, group->count);
	wm_json_number(json, NULL, group->instructions);
	wm_json_text(json, NULL,
		wm_path_group_name(writer->arena, writer->side->names, group, WIDEST_NAME));
	wm_json_end_array(json);
}

static void write_routes(struct writer *writer)
{
	struct wm_arena arena = {0};
	struct wm_path_groups groups;
	wm_path_groups_make(&arena, writer->side->profile, &groups);
	wm_json_number(writer->json, "routes", groups.count);
	wm_json_number(writer->json, "whole", wm_hot_paths_whole(writer->side->profile));
	wm_json_begin_array(writer->json, "hot");
	for (size_t i = 0; i < groups.count && i < MAX_ROUTES; i++)
		write_route(writer, &groups.groups[i]);
	wm_json_end_array(writer->json);
	wm_arena_reset(&arena);
}

void wm_html_functions_write(
	const struct wm_html_side *side, struct wm_html_files *files, struct wm_json *json)
{
	struct wm_arena arena = {0};
	struct writer writer = {.arena = &arena,
		.side = side,
		.files = files,
		.json = json,
		.written = wm_arena_alloc(
			&arena, side->profile->function_count, sizeof *writer.written)};
	gather_names(&writer);
	wm_json_begin_array(json, "functions");
	for (uint32_t i = 0; i < side->profile->function_count; i++)
		write_function(&writer, i);
	wm_json_end_array(json);
	write_routes(&writer);
	wm_arena_reset(&arena);
}
