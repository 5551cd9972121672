/* The lines of a vertex and the outcome of an edge are found as those of a path that has only this
 * vertex or edge. */
#include "cli/path_dot.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/none.h"
#include "graph/draw.h"
#include "report/text.h"

struct artist {
	struct wm_arena arena;
	const struct wm_profile_function *source;
	const struct wm_path_map *map;
	struct wm_drawn_vertex *vertices;
	struct wm_drawn_edge *edges;
};

static const char *block_label(struct artist *artist, uint32_t block)
{
	const struct wm_profile_path alone = {
		.block_count = 1, .blocks = &block, .end_edge = WM_NONE};
	const struct wm_profile_path *pieces = &alone;
	const char *lines = wm_path_form(&artist->arena, artist->map, &pieces, 1, ", ");
	const uint64_t *counts = artist->source->block;
	struct wm_text count = wm_text_count(counts ? counts[block] : 0);
	size_t bytes = strlen(lines) + sizeof count.text + 40;
	char *label = wm_arena_alloc(&artist->arena, bytes, 1);
	bool numbered = strncmp(lines, "block", strlen("block")) == 0;
	snprintf(label, bytes, "block %" PRIu32 "%s%s%s%s%s", block,
		numbered || !lines[0] ? "" : "\n", numbered ? "" : lines, counts ? "\n" : "",
		counts ? count.text : "", counts ? " times" : "");
	return label;
}

/* What the edge decides, one choice on a line. */
static const char *edge_choices(struct artist *artist, uint32_t edge)
{
	const struct wm_function *function = artist->map->function;
	uint32_t block = function->edge_source[edge];
	const struct wm_profile_path alone = {.block_count = 1, .blocks = &block, .end_edge = edge};
	if (block == function->block_count)
		return "";
	size_t count, bytes = 1;
	const struct wm_path_choice *choices = wm_path_choices(&artist->arena, artist->map,
		wm_path_steps(&artist->arena, artist->map, &alone), &count);
	const char **texts = wm_arena_alloc(&artist->arena, count, sizeof *texts);
	for (size_t i = 0; i < count; i++) {
		texts[i] = wm_path_choice_text(&artist->arena, artist->map, &choices[i]);
		bytes += strlen(texts[i]) + 1;
	}
	char *label = wm_arena_alloc(&artist->arena, bytes, 1), *next = label;
	for (size_t i = 0; i < count; i++)
		next += sprintf(next, "%s%s", i > 0 ? "\n" : "", texts[i]);
	return label;
}

static const char *edge_label(struct artist *artist, uint32_t edge)
{
	const struct wm_function *function = artist->map->function;
	const char *choices = edge_choices(artist, edge);
	struct wm_text count = {""};
	if (artist->source->edge && !(function->edge_flags[edge] & WM_EDGE_ABANDONED))
		count = wm_text_count(artist->source->edge[edge]);
	size_t bytes = strlen(choices) + sizeof count + 4;
	char *label = wm_arena_alloc(&artist->arena, bytes, 1);
	snprintf(label, bytes, " %s%s%s", choices, choices[0] && count.text[0] ? "\n" : "",
		count.text);
	return label;
}

static void draw_function(struct artist *artist)
{
	const struct wm_function *function = artist->map->function;
	uint32_t blocks = function->block_count;
	artist->vertices =
		wm_arena_alloc(&artist->arena, (size_t)blocks + 1, sizeof *artist->vertices);
	artist->edges = wm_arena_alloc(&artist->arena, function->edge_count, sizeof *artist->edges);
	for (uint32_t b = 0; b < blocks; b++)
		artist->vertices[b].label = block_label(artist, b);
	artist->vertices[blocks].label = "exit";
	for (uint32_t e = 0; e < function->edge_count; e++)
		artist->edges[e] = (struct wm_drawn_edge){.source = function->edge_source[e],
			.target = function->edge_target[e],
			.label = edge_label(artist, e),
			.dashed = function->edge_flags[e] & WM_EDGE_ABANDONED};
}

static void mark_path(struct artist *artist, const struct wm_profile_path *path)
{
	const struct wm_path_step *steps = wm_path_steps(&artist->arena, artist->map, path);
	for (uint32_t i = 0; i < path->block_count; i++) {
		artist->vertices[path->blocks[i]].marked = true;
		if (steps[i].edge != WM_NONE)
			artist->edges[steps[i].edge].marked = true;
	}
}

void wm_path_dot_write(const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, const char *title,
	FILE *out)
{
	struct artist artist = {.source = function, .map = map};
	draw_function(&artist);
	for (size_t i = 0; i < piece_count; i++)
		mark_path(&artist, pieces[i]);
	wm_graph_draw(&(struct wm_drawing){.title = title,
			      .vertex_count = map->function->block_count + 1,
			      .vertices = artist.vertices,
			      .edge_count = map->function->edge_count,
			      .edges = artist.edges},
		out);
	wm_arena_reset(&artist.arena);
}
