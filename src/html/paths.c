/* Code between two decisions is a segment. Optimised code jumps to and fro between lines, so the
 * lines of a segment are sorted, file by file. */
#include "html/paths.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "html/functions.h"
#include "profile/hot_paths.h"
#include "report/own_sources.h"

struct writer {
	struct wm_arena *arena;
	const struct wm_path_map *map;
	const struct wm_html_branches *branches;
	struct wm_html_files *files;
	struct wm_json *json;
	const struct wm_block_line **segment;
	size_t segment_count;
};

static int compare_lines(const void *left, const void *right)
{
	const struct wm_block_line *a = *(const struct wm_block_line *const *)left,
				   *b = *(const struct wm_block_line *const *)right;
	return (a->line > b->line) - (a->line < b->line);
}

/* Lines of one file, rising, each once; without a file they are numbers of blocks. */
static void write_lines(struct writer *writer, const struct wm_block_line **lines, size_t count)
{
	bool has_file = lines[0]->file[0];
	qsort(lines, count, sizeof *lines, compare_lines);
	wm_json_begin_array(writer->json, NULL);
	wm_json_number(writer->json, NULL,
		!has_file	? WM_HTML_BLOCKS
		: lines[0]->own ? WM_HTML_CODE
				: WM_HTML_INLINED);
	if (has_file)
		wm_json_signed(
			writer->json, NULL, wm_html_files_number(writer->files, lines[0]->file));
	for (size_t i = 0; i < count; i++)
		if (i == 0 || lines[i]->line != lines[i - 1]->line)
			wm_json_number(writer->json, NULL, lines[i]->line);
	wm_json_end_array(writer->json);
}

/* Files come in the order in which the segment meets them. */
static void write_segment(struct writer *writer)
{
	struct wm_arena scratch = {0};
	const struct wm_block_line **rest = writer->segment;
	size_t count = writer->segment_count;
	const struct wm_block_line **same = wm_arena_alloc(&scratch, count, sizeof *same);
	while (count > 0) {
		const struct wm_block_line *first = rest[0];
		size_t same_count = 0, others = 0;
		for (size_t i = 0; i < count; i++) {
			if (rest[i]->own == first->own && strcmp(rest[i]->file, first->file) == 0)
				same[same_count++] = rest[i];
			else
				rest[others++] = rest[i];
		}
		write_lines(writer, same, same_count);
		count = others;
	}
	writer->segment_count = 0;
	wm_arena_reset(&scratch);
}

static void write_choices(struct writer *writer, uint32_t place)
{
	const struct wm_html_branches *branches = writer->branches;
	for (uint32_t i = branches->first[place]; i < branches->first[place + 1]; i++) {
		write_segment(writer);
		wm_json_begin_array(writer->json, NULL);
		wm_json_number(writer->json, NULL, WM_HTML_DECISION);
		wm_json_number(writer->json, NULL, branches->at[i]->branch);
		wm_json_number(writer->json, NULL, branches->at[i]->arm);
		wm_json_end_array(writer->json);
	}
}

/* Whether the block has code of the program's own sources, and not only calls of other code. */
static bool has_own_code(const struct writer *writer, uint32_t block)
{
	const struct wm_block_line *lines = writer->map->lines[block];
	for (size_t i = 0; i < writer->map->line_count[block]; i++)
		if (!lines[i].call && wm_own_sources_have(writer->files->root, lines[i].file))
			return true;
	return false;
}

/* Behind inlined code stand the lines of the calls that brought it there. They are shown where that
 * code is of a library, whose text nobody looks for. */
static void add_block(struct writer *writer, uint32_t block)
{
	const struct wm_block_line *lines = writer->map->lines[block];
	bool is_own = has_own_code(writer, block);
	for (size_t i = 0; i < writer->map->line_count[block]; i++)
		if (!lines[i].call ||
			(!is_own && wm_own_sources_have(writer->files->root, lines[i].file)))
			writer->segment[writer->segment_count++] = &lines[i];
}

static void write_items(struct writer *writer, const struct wm_profile_path *path)
{
	const struct wm_path_map *map = writer->map;
	const struct wm_path_step *steps = wm_path_steps(writer->arena, map, path);
	size_t room = 0;
	for (uint32_t i = 0; i < path->block_count; i++)
		room += map->line_count[path->blocks[i]];
	writer->segment = wm_arena_alloc(writer->arena, room, sizeof *writer->segment);
	wm_json_begin_array(writer->json, NULL);
	for (uint32_t i = 0; i < path->block_count; i++) {
		uint32_t edge = steps[i].edge;
		add_block(writer, path->blocks[i]);
		if (edge == WM_NONE)
			continue;
		if (!(map->function->edge_flags[edge] & WM_EDGE_ABANDONED)) {
			write_choices(writer, path->blocks[i]);
			write_choices(writer, map->function->block_count + edge);
		}
	}
	write_segment(writer);
	wm_json_end_array(writer->json);
}

static void write_path(struct writer *writer, const struct wm_profile_function *function,
	const struct wm_profile_path *path)
{
	struct wm_arena scratch = {0};
	writer->arena = &scratch;
	wm_json_begin_array(writer->json, NULL);
	wm_json_number(writer->json, NULL, path->id);
	wm_json_number(writer->json, NULL, path->count);
	wm_json_number(writer->json, NULL, wm_hot_path_instructions(function, path));
	write_items(writer, path);
	wm_json_text(writer->json, NULL, wm_path_ending(&scratch, writer->map, path, false));
	wm_json_begin_array(writer->json, NULL);
	for (uint32_t i = 0; i < path->block_count; i++)
		wm_json_number(writer->json, NULL, path->blocks[i]);
	wm_json_end_array(writer->json);
	wm_json_end_array(writer->json);
	wm_arena_reset(&scratch);
}

const struct wm_profile_path **wm_html_paths_write(struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_profile_function *function,
	const struct wm_html_branches *branches, struct wm_html_files *files, struct wm_json *json,
	size_t *count)
{
	struct writer writer = {.map = map, .branches = branches, .files = files, .json = json};
	struct wm_hot_paths hot = {0};
	if (function->paths)
		wm_hot_paths_rank(arena, function, 1, &hot);
	*count = hot.count < WM_HTML_MAX_PATHS ? hot.count : WM_HTML_MAX_PATHS;
	const struct wm_profile_path **paths = wm_arena_alloc(arena, *count, sizeof *paths);
	wm_json_number(json, "ran", hot.count);
	wm_json_begin_array(json, "paths");
	for (size_t i = 0; i < *count; i++) {
		paths[i] = hot.paths[i].path;
		write_path(&writer, function, paths[i]);
	}
	wm_json_end_array(json);
	return paths;
}
