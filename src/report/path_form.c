/* Blocks are gathered into a segment until a branch ends it. The line of a condition that is shown
 * leaves its segment, and the rest comes before it. The lines of a segment are sorted,
 * file by file: optimised code jumps to and fro between lines, which is hard to read. Without any
 * line, numbers of blocks take their place. */
#include "report/path_form.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "report/choice_text.h"
#include "report/place.h"

/* Stands for the name of a file where there are only numbers of blocks. */
static const char NO_FILE[] = "";

enum { VERTEX_BYTES = 24 };

struct form {
	struct wm_arena *arena;
	const struct wm_path_map *map;
	FILE *out;
	const char *separator;
	const char *file; /* whose name was printed last */
	const struct wm_block_line **segment;
	size_t segment_count;
};

static int compare_lines(const void *left, const void *right)
{
	const struct wm_block_line *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_pointed_lines(const void *left, const void *right)
{
	return compare_lines(*(const struct wm_block_line *const *)left,
		*(const struct wm_block_line *const *)right);
}

/* One line that is the block's number, for functions without any other. */
static void number_blocks(struct wm_arena *arena, struct wm_path_map *map)
{
	for (uint32_t b = 0; b < map->function->block_count; b++) {
		struct wm_block_line *line = wm_arena_alloc(arena, 1, sizeof *line);
		*line = (struct wm_block_line){.file = NO_FILE, .line = b};
		map->lines[b] = line;
		map->line_count[b] = 1;
	}
}

static void gather_known(struct wm_arena *arena, struct wm_path_map *map)
{
	size_t max = 0, kept = 0;
	for (uint32_t b = 0; b < map->function->block_count; b++)
		max += map->line_count[b];
	map->known = wm_arena_alloc(arena, max, sizeof *map->known);
	map->known_count = 0;
	for (uint32_t b = 0; b < map->function->block_count; b++)
		for (size_t i = 0; i < map->line_count[b]; i++)
			map->known[map->known_count++] = map->lines[b][i];
	if (map->known_count > 0)
		qsort(map->known, map->known_count, sizeof *map->known, compare_lines);
	for (size_t i = 0; i < map->known_count; i++)
		if (i == 0 || compare_lines(&map->known[kept - 1], &map->known[i]) != 0)
			map->known[kept++] = map->known[i];
	map->known_count = kept;
}

/* Inlined functions may be in the same files, but their lines are neighbours only by chance. */
static void set_apart(struct wm_arena *arena, struct wm_path_map *map)
{
	const struct wm_function *function = map->function;
	struct wm_block_line *starts = wm_arena_alloc(arena, function->scope_count, sizeof *starts);
	size_t next = 0;
	map->apart = wm_arena_alloc(arena, map->known_count, sizeof *map->apart);
	for (uint32_t i = 0; i < function->scope_count; i++)
		starts[i] = (struct wm_block_line){
			.file = function->scopes[i].file, .line = function->scopes[i].line};
	qsort(starts, function->scope_count, sizeof *starts, compare_lines);
	for (size_t i = 0; i < map->known_count; i++)
		for (; next < function->scope_count &&
			compare_lines(&starts[next], &map->known[i]) <= 0;
			next++)
			map->apart[i] = true;
}

static void find_loops(struct wm_arena *arena, struct wm_path_map *map)
{
	struct wm_depth_first search = wm_depth_first_search_meetings(arena, map->cfg);
	map->back_edge = search.back_edge;
	map->loops = wm_loops_find(arena, map->cfg, &search);
}

struct wm_path_map wm_path_map_make(struct wm_arena *arena,
	const struct wm_profile_function *source, struct wm_sources *sources)
{
	const struct wm_function *function = source->function;
	uint32_t blocks = function->block_count;
	struct wm_path_map map = {.function = function,
		.source = source,
		.sources = sources,
		.choices = wm_choices_make(arena, source),
		.cfg = wm_cfg_build(arena, blocks + 1, function->edge_count, function->edge_source,
			function->edge_target, 0, blocks),
		.lines = wm_arena_alloc(arena, blocks, sizeof *map.lines),
		.line_count = wm_arena_alloc(arena, blocks, sizeof *map.line_count),
		.own_lines = wm_arena_alloc(arena, blocks, sizeof *map.own_lines)};
	for (uint32_t b = 0; b < blocks; b++) {
		map.lines[b] = wm_block_lines(arena, function, b, &map.line_count[b]);
		for (size_t i = 0; i < map.line_count[b]; i++)
			map.own_lines[b] |= map.lines[b][i].own;
	}
	gather_known(arena, &map);
	if (map.known_count == 0) {
		number_blocks(arena, &map);
		gather_known(arena, &map);
	}
	set_apart(arena, &map);
	find_loops(arena, &map);
	return map;
}

static bool is_taken(const struct wm_path_map *map, const struct wm_path_step *step, uint32_t edge,
	uint32_t next, uint32_t end_edge)
{
	if (next == WM_NONE)
		return edge == end_edge;
	return step->edge == WM_NONE && map->cfg->target[edge] == next;
}

/* The step to the next block or, if that is WM_NONE, along the edge that ends the path. */
static struct wm_path_step step_from(
	const struct wm_path_map *map, uint32_t block, uint32_t next, uint32_t end_edge)
{
	const struct wm_cfg *cfg = map->cfg;
	struct wm_path_step step = {.block = block, .edge = WM_NONE};
	for (uint32_t i = cfg->out_start[block]; i < cfg->out_start[block + 1]; i++) {
		uint32_t e = cfg->out_edge[i];
		bool taken = is_taken(map, &step, e, next, end_edge);
		if (taken)
			step.edge = e;
		if (map->function->edge_flags[e] & WM_EDGE_ABANDONED)
			continue;
		if (taken)
			step.branch = step.branches;
		step.branches++;
	}
	return step;
}

/* Whether the line is shown: those of the function's own file and, in a block that has none, all of
 * its code. What was inlined from other files stands there as its call. */
static bool is_shown(
	const struct wm_path_map *map, uint32_t block, const struct wm_block_line *line)
{
	return map->own_lines[block] ? line->own : !line->call;
}

/* The first line of the block that is shown, or NULL. */
static const struct wm_block_line *first_shown(const struct wm_path_map *map, uint32_t block)
{
	for (size_t i = 0; i < map->line_count[block]; i++)
		if (is_shown(map, block, &map->lines[block][i]))
			return &map->lines[block][i];
	return NULL;
}

/* The vertex or, if no line of it is shown, the next one with a line that control must come to. */
static uint32_t with_line(const struct wm_path_map *map, uint32_t vertex)
{
	const struct wm_cfg *cfg = map->cfg;
	uint32_t at = vertex;
	for (uint32_t left = cfg->exit; left > 0 && at < cfg->exit; left--) {
		if (first_shown(map, at))
			return at;
		if (cfg->out_start[at + 1] - cfg->out_start[at] != 1)
			break;
		at = cfg->target[cfg->out_edge[cfg->out_start[at]]];
	}
	return vertex;
}

uint32_t wm_path_towards(const struct wm_path_map *map, uint32_t edge)
{
	return with_line(map, map->function->edge_target[edge]);
}

/* Where a step leads if its next block has this index on the path. */
static uint32_t find_towards(
	const struct wm_path_map *map, const struct wm_profile_path *path, uint32_t next)
{
	for (uint32_t i = next; i < path->block_count; i++)
		if (first_shown(map, path->blocks[i]))
			return path->blocks[i];
	if (next < path->block_count)
		return path->blocks[next];
	return path->end_edge < map->function->edge_count
		       ? with_line(map, map->function->edge_target[path->end_edge])
		       : map->function->block_count;
}

struct wm_path_step *wm_path_steps(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_profile_path *path)
{
	struct wm_path_step *steps = wm_arena_alloc(arena, path->block_count, sizeof *steps);
	for (uint32_t i = 0; i < path->block_count; i++) {
		uint32_t next = i + 1 < path->block_count ? path->blocks[i + 1] : WM_NONE;
		steps[i] = step_from(map, path->blocks[i], next, path->end_edge);
		steps[i].towards = find_towards(map, path, i + 1);
	}
	return steps;
}

/* The first line of the vertex that is shown, or its number. */
static const char *vertex_text(
	struct wm_arena *arena, const struct wm_path_map *map, uint32_t vertex)
{
	if (vertex == map->function->block_count)
		return "the end";
	const struct wm_block_line *line = first_shown(map, vertex);
	if (line && line->file[0] && !map->own_lines[vertex])
		return wm_place_text(arena, (struct wm_place){line->file, line->line});
	char *text = wm_arena_alloc(arena, VERTEX_BYTES, 1);
	if (line && line->file[0])
		snprintf(text, VERTEX_BYTES, "line %" PRIu32, line->line);
	else
		snprintf(text, VERTEX_BYTES, "block %" PRIu32, vertex);
	return text;
}

/* Where the code chooses: the last line of its block. */
static struct wm_place place_of_jump(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *source = &function->blocks[block];
	for (uint32_t i = source->position_count; i-- > 0;) {
		const struct wm_position *position =
			&function->positions[source->first_position + i];
		const char *file = function->scopes[position->scope].file;
		if (position->line && file[0])
			return (struct wm_place){file, position->line};
	}
	return (struct wm_place){"", 0};
}

/* How often control left the block, but not inside a call; 0 if that is not known. */
static uint64_t count_departures(const struct wm_path_map *map, uint32_t block)
{
	const struct wm_cfg *cfg = map->cfg;
	uint64_t left = 0;
	for (uint32_t i = cfg->out_start[block]; i < cfg->out_start[block + 1]; i++)
		if (map->source->edge &&
			!(map->function->edge_flags[cfg->out_edge[i]] & WM_EDGE_ABANDONED))
			left += map->source->edge[cfg->out_edge[i]];
	return left;
}

/* A choice of the code of which nothing is known but where it went. */
static struct wm_path_choice unknown_choice(
	const struct wm_path_map *map, const struct wm_path_step *step)
{
	uint32_t exit = map->function->block_count;
	const struct wm_block_line *line =
		step->towards < exit ? first_shown(map, step->towards) : NULL;
	return (struct wm_path_choice){
		.chosen = map->source->edge ? map->source->edge[step->edge] : 0,
		.decided = count_departures(map, step->block),
		.condition = place_of_jump(map->function, step->block),
		.to = line ? (struct wm_place){line->file, line->file[0] ? line->line : 0}
			   : (struct wm_place){"", 0},
		.to_vertex = step->towards};
}

bool wm_path_step_chooses(const struct wm_path_map *map, const struct wm_path_step *step)
{
	return step->branches > 1 && step->edge != WM_NONE &&
	       !(map->function->edge_flags[step->edge] & WM_EDGE_ABANDONED);
}

static size_t add_choices_at(
	const struct wm_path_map *map, uint32_t place, struct wm_path_choice *choices)
{
	const uint32_t *first = &map->choices.first[place];
	for (uint32_t i = first[0]; i < first[1]; i++)
		*choices++ = map->choices.choices[i];
	return first[1] - first[0];
}

/* No more than these, in the block and behind it. */
static size_t max_choices(const struct wm_path_map *map, const struct wm_path_step *step)
{
	const uint32_t *first = map->choices.first;
	uint32_t edge = map->function->block_count + step->edge;
	return (size_t)(first[step->block + 1] - first[step->block]) +
	       (first[edge + 1] - first[edge]) + 1;
}

const struct wm_path_choice *wm_path_choices(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_path_step *step, size_t *count)
{
	const struct wm_function *function = map->function;
	*count = 0;
	if (step->edge == WM_NONE)
		return NULL;
	struct wm_path_choice *choices =
		wm_arena_alloc(arena, max_choices(map, step), sizeof *choices);
	if (!(function->edge_flags[step->edge] & WM_EDGE_ABANDONED))
		*count = add_choices_at(map, step->block, choices);
	size_t on_edge = add_choices_at(map, function->block_count + step->edge, choices + *count);
	*count += on_edge;
	if (on_edge == 0 && wm_path_step_chooses(map, step))
		choices[(*count)++] = unknown_choice(map, step);
	return choices;
}

/* Where control went, if nothing more is known. */
static const char *target_text(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice)
{
	if (choice->to_vertex != WM_NONE)
		return vertex_text(arena, map, choice->to_vertex);
	if (!choice->to.line)
		return "an unknown line";
	if (strcmp(choice->to.file, choice->condition.file) != 0)
		return wm_place_text(arena, choice->to);
	char *text = wm_arena_alloc(arena, VERTEX_BYTES, 1);
	snprintf(text, VERTEX_BYTES, "line %" PRIu32, choice->to.line);
	return text;
}

const char *wm_path_outcome(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice)
{
	const char *outcome = wm_choice_outcome(arena, map->sources, choice);
	if (outcome[0])
		return outcome;
	const char *target = target_text(arena, map, choice);
	char *text = wm_arena_alloc(arena, strlen(target) + sizeof "→ ", 1);
	sprintf(text, "→ %s", target);
	return text;
}

const char *wm_path_choice_text(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice)
{
	const char *outcome = wm_path_outcome(arena, map, choice);
	const char *condition = wm_choice_condition(arena, map->sources, choice);
	const char *arrow = choice->outcome == WM_OUTCOME_UNKNOWN ? "" : "→ ";
	if (choice->to_vertex != WM_NONE || !choice->condition.line)
		return outcome;
	char column[VERTEX_BYTES] = "";
	if (!condition[0] && choice->column)
		snprintf(column, sizeof column, ":%" PRIu32, choice->column);
	size_t bytes = strlen(outcome) + strlen(condition) + 3 * VERTEX_BYTES;
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%" PRIu32 "%s%s%s %s%s", choice->condition.line, column,
		condition[0] ? " " : "", condition, arrow, outcome);
	return text;
}

/* Whether no line of the function, and no start of another function, is between these lines of one
 * file. */
static bool are_neighbours(
	const struct wm_path_map *map, const struct wm_block_line *low, uint32_t high)
{
	const struct wm_block_line *known =
		bsearch(low, map->known, map->known_count, sizeof *map->known, compare_lines);
	const struct wm_block_line *next = known + 1;
	return next < map->known + map->known_count && next->line == high &&
	       strcmp(next->file, low->file) == 0 && !map->apart[next - map->known];
}

static void put_gap(struct form *form)
{
	if (ftello(form->out) > 0)
		fputs(form->separator, form->out);
}

static void put_file(struct form *form, const char *file)
{
	if (form->file && strcmp(form->file, file) == 0)
		return;
	form->file = file;
	if (file[0])
		fprintf(form->out, "%s:", wm_place_text(form->arena, (struct wm_place){file, 0}));
	else
		fputs("block ", form->out);
}

/* Prints the lines of the segment that are of one file; they are sorted. */
static void put_lines(struct form *form, const struct wm_block_line **lines, size_t count)
{
	put_gap(form);
	put_file(form, lines[0]->file);
	for (size_t i = 0; i < count;) {
		size_t end = i;
		while (end + 1 < count &&
			(lines[end + 1]->line == lines[end]->line ||
				are_neighbours(form->map, lines[end], lines[end + 1]->line)))
			end++;
		fprintf(form->out, "%s%" PRIu32, i > 0 ? "," : "", lines[i]->line);
		if (lines[end]->line != lines[i]->line)
			fprintf(form->out, "-%" PRIu32, lines[end]->line);
		i = end + 1;
	}
}

/* Files come in the order in which the segment meets them. */
static void put_segment(struct form *form)
{
	const struct wm_block_line **rest = form->segment;
	size_t count = form->segment_count;
	const struct wm_block_line **sorted = wm_arena_alloc(form->arena, count, sizeof *sorted);
	while (count > 0) {
		const char *file = rest[0]->file;
		size_t same = 0, others = 0;
		for (size_t i = 0; i < count; i++) {
			if (strcmp(rest[i]->file, file) == 0)
				sorted[same++] = rest[i];
			else
				rest[others++] = rest[i];
		}
		qsort(sorted, same, sizeof *sorted, compare_pointed_lines);
		put_lines(form, sorted, same);
		count = others;
	}
	form->segment_count = 0;
}

static void add_block(struct form *form, uint32_t block)
{
	for (size_t i = 0; i < form->map->line_count[block]; i++) {
		const struct wm_block_line *line = &form->map->lines[block][i];
		if (is_shown(form->map, block, line))
			form->segment[form->segment_count++] = line;
	}
}

/* The line of a condition is shown with it. */
static void take_line_out(struct form *form, struct wm_place place)
{
	size_t kept = 0;
	for (size_t i = 0; i < form->segment_count; i++)
		if (form->segment[i]->line != place.line ||
			strcmp(form->segment[i]->file, place.file) != 0)
			form->segment[kept++] = form->segment[i];
	form->segment_count = kept;
}

static void put_choice(struct form *form, const struct wm_path_choice *choice)
{
	bool has_line = choice->to_vertex == WM_NONE && choice->condition.line;
	bool follows = !has_line && form->segment_count > 0;
	if (has_line)
		take_line_out(form, choice->condition);
	put_segment(form);
	if (follows)
		fputc(' ', form->out);
	else
		put_gap(form);
	if (has_line)
		put_file(form, choice->condition.file);
	fputs(wm_path_choice_text(form->arena, form->map, choice), form->out);
}

static bool is_in_loop(const struct wm_path_map *map, uint32_t vertex, uint32_t entry)
{
	const struct wm_loop_place *place = map->loops.place;
	return place[entry].start <= place[vertex].start && place[vertex].start < place[entry].end;
}

/* What the edge that ends a path between two blocks does. */
static const char *kind_of_end(const struct wm_path_map *map, uint32_t edge)
{
	uint32_t from = map->function->edge_source[edge], to = map->function->edge_target[edge];
	uint32_t loop = wm_loops_innermost(&map->loops, from);
	if (map->back_edge[edge])
		return "next iteration at ";
	if (map->loops.place[to].is_entry)
		return "enters the loop at ";
	if (loop != WM_NONE && !is_in_loop(map, to, loop))
		return "leaves the loop to ";
	return "";
}

/* Where the path leads to; nothing needs to be said of a place that the next piece shows. */
static const char *next_text(
	struct wm_arena *arena, const struct wm_path_map *map, uint32_t edge, bool goes_on)
{
	const char *kind = kind_of_end(map, edge);
	if (!kind[0] && goes_on)
		return "";
	kind = kind[0] ? kind : "goes on at ";
	const char *target =
		vertex_text(arena, map, with_line(map, map->function->edge_target[edge]));
	char *text = wm_arena_alloc(arena, strlen(kind) + strlen(target) + 1, 1);
	sprintf(text, "%s%s", kind, target);
	return text;
}

const char *wm_path_ending(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, bool goes_on)
{
	const struct wm_function *function = map->function;
	uint32_t edge = path->end_edge;
	if (path->partial)
		return "left early";
	if (edge >= function->edge_count)
		return "";
	if (wm_profile_path_never_returns(function, path))
		return "no return";
	if (function->edge_flags[edge] & WM_EDGE_RETURN)
		return "returns";
	bool leads_on = function->edge_target[edge] != function->block_count;
	return leads_on ? next_text(arena, map, edge, goes_on) : "";
}

static void put_end(struct form *form, const struct wm_profile_path *path, bool goes_on)
{
	const char *ending = wm_path_ending(form->arena, form->map, path, goes_on);
	put_segment(form);
	if (ending[0]) {
		put_gap(form);
		fputs(ending, form->out);
	}
}

static void put_path(struct form *form, const struct wm_profile_path *path, bool goes_on)
{
	const struct wm_path_step *steps = wm_path_steps(form->arena, form->map, path);
	size_t room = 0;
	for (uint32_t i = 0; i < path->block_count; i++)
		room += form->map->line_count[path->blocks[i]];
	form->segment = wm_arena_alloc(form->arena, room, sizeof *form->segment);
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t count;
		const struct wm_path_choice *choices =
			wm_path_choices(form->arena, form->map, &steps[i], &count);
		add_block(form, path->blocks[i]);
		for (size_t k = 0; k < count; k++)
			put_choice(form, &choices[k]);
	}
	put_end(form, path, goes_on);
}

char *wm_path_form(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, const char *separator)
{
	char *text;
	size_t bytes;
	struct form form = {.arena = arena,
		.map = map,
		.out = open_memstream(&text, &bytes),
		.separator = separator};
	for (size_t i = 0; i < piece_count; i++)
		put_path(&form, pieces[i], i + 1 < piece_count);
	fclose(form.out);
	char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}
