/* Optimised code decides one branch of the text in several places, and one place of the code may
 * stand for several decisions. So all choices of all places are gathered and sorted: those of one
 * condition are one branch, and those of one outcome are one arm, whose count is the sum. */
#include "html/branches.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "report/choice_text.h"

struct gatherer {
	struct wm_arena *arena;
	const struct wm_path_map *map;
	const struct wm_profile_function *function;
	struct wm_html_choice *choices;
	size_t count, capacity;
};

static int compare_numbers(uint32_t left, uint32_t right)
{
	return (left > right) - (left < right);
}

static int compare_branches(const struct wm_html_choice *a, const struct wm_html_choice *b)
{
	int order = compare_numbers(a->block, b->block);
	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = compare_numbers(a->line, b->line);
	return order ? order : compare_numbers(a->column, b->column);
}

static int compare_arms(const struct wm_html_choice *a, const struct wm_html_choice *b)
{
	/* `yes` stands before `no`. */
	return -strcmp(a->outcome, b->outcome);
}

static int compare_choices(const void *left, const void *right)
{
	const struct wm_html_choice *a = left, *b = right;
	int order = compare_branches(a, b);
	if (!order)
		order = compare_arms(a, b);
	if (!order)
		order = compare_numbers(a->place, b->place);
	return order ? order : compare_numbers(a->order, b->order);
}

static int compare_places(const void *left, const void *right)
{
	const struct wm_html_choice *a = *(const struct wm_html_choice *const *)left,
				    *b = *(const struct wm_html_choice *const *)right;
	int order = compare_numbers(a->place, b->place);
	return order ? order : compare_numbers(a->order, b->order);
}

static void add(struct gatherer *gatherer, uint32_t place, uint32_t order,
	const struct wm_path_choice *choice, uint64_t count, bool counted)
{
	const struct wm_path_map *map = gatherer->map;
	bool unknown = choice->to_vertex != WM_NONE;
	uint32_t exit = map->function->block_count;
	gatherer->choices = wm_arena_grow(gatherer->arena, gatherer->choices, gatherer->count,
		&gatherer->capacity, sizeof *gatherer->choices);
	gatherer->choices[gatherer->count++] = (struct wm_html_choice){.place = place,
		.order = order,
		.block =
			unknown && place >= exit ? map->function->edge_source[place - exit] + 1 : 0,
		.file = choice->condition.file,
		.line = choice->condition.line,
		.column = unknown ? 0 : choice->column,
		.condition =
			unknown ? "" : wm_choice_condition(gatherer->arena, map->sources, choice),
		.outcome = wm_path_outcome(gatherer->arena, map, choice),
		.to_line = choice->to.line,
		.counted = counted,
		.count = count};
}

/* Those of the block are decided when control leaves it, but not inside a call. */
static void add_block(struct gatherer *gatherer, uint32_t block)
{
	const struct wm_path_map *map = gatherer->map;
	const struct wm_profile_function *function = gatherer->function;
	uint64_t count = function->block && !function->edge ? function->block[block] : 0;
	for (uint32_t i = map->cfg->out_start[block]; i < map->cfg->out_start[block + 1]; i++) {
		uint32_t e = map->cfg->out_edge[i];
		if (function->edge && !(map->function->edge_flags[e] & WM_EDGE_ABANDONED))
			count += function->edge[e];
	}
	for (uint32_t i = map->choices.first[block]; i < map->choices.first[block + 1]; i++)
		add(gatherer, block, i - map->choices.first[block], &map->choices.choices[i], count,
			function->block != NULL);
}

/* The step is along the edge. What the block stands for comes before it, and is left out here. */
static void add_edge(struct gatherer *gatherer, const struct wm_path_step *step)
{
	const struct wm_path_map *map = gatherer->map;
	const uint64_t *counts = gatherer->function->edge;
	const uint32_t *first = &map->choices.first[step->block];
	size_t count;
	struct wm_arena scratch = {0};
	const struct wm_path_choice *choices = wm_path_choices(&scratch, map, step, &count);
	for (size_t i = first[1] - first[0]; i < count; i++)
		add(gatherer, map->function->block_count + step->edge,
			(uint32_t)(i - (first[1] - first[0])), &choices[i],
			counts ? counts[step->edge] : 0, counts != NULL);
	wm_arena_reset(&scratch);
}

static void add_edges(struct gatherer *gatherer, uint32_t block)
{
	const struct wm_path_map *map = gatherer->map;
	struct wm_path_step step = {.block = block};
	for (int pass = 0; pass < 2; pass++) {
		uint32_t branch = 0;
		for (uint32_t i = map->cfg->out_start[block]; i < map->cfg->out_start[block + 1];
			i++) {
			uint32_t e = map->cfg->out_edge[i];
			if (e >= map->function->edge_count ||
				map->function->edge_flags[e] & WM_EDGE_ABANDONED)
				continue;
			step.edge = e;
			step.branch = branch++;
			step.towards = wm_path_towards(map, e);
			if (pass == 1)
				add_edge(gatherer, &step);
		}
		step.branches = branch;
	}
}

static void number(struct wm_html_branches *branches)
{
	for (size_t i = 1; i < branches->count; i++) {
		struct wm_html_choice *before = &branches->choices[i - 1],
				      *choice = &branches->choices[i];
		bool same = compare_branches(before, choice) == 0;
		choice->branch = before->branch + !same;
		if (same)
			choice->arm = before->arm + (compare_arms(before, choice) != 0);
	}
}

static void index_places(
	struct wm_arena *arena, struct wm_html_branches *branches, const struct wm_path_map *map)
{
	uint32_t places = map->function->block_count + map->function->edge_count;
	branches->at = wm_arena_alloc(arena, branches->count, sizeof *branches->at);
	branches->first = wm_arena_alloc(arena, places + 1, sizeof *branches->first);
	for (size_t i = 0; i < branches->count; i++) {
		branches->at[i] = &branches->choices[i];
		branches->first[branches->choices[i].place + 1]++;
	}
	for (uint32_t i = 0; i < places; i++)
		branches->first[i + 1] += branches->first[i];
	if (branches->count > 0)
		qsort(branches->at, branches->count, sizeof *branches->at, compare_places);
}

struct wm_html_branches wm_html_branches_make(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_function *function)
{
	struct gatherer gatherer = {.arena = arena, .map = map, .function = function};
	for (uint32_t b = 0; b < map->function->block_count; b++) {
		add_block(&gatherer, b);
		add_edges(&gatherer, b);
	}
	struct wm_html_branches branches = {.count = gatherer.count, .choices = gatherer.choices};
	if (branches.count > 0)
		qsort(branches.choices, branches.count, sizeof *branches.choices, compare_choices);
	number(&branches);
	index_places(arena, &branches, map);
	return branches;
}

/* Writes an arm, and returns the index behind its choices. */
static size_t write_arm(const struct wm_html_branches *branches, size_t first, struct wm_json *json)
{
	const struct wm_html_choice *choice = &branches->choices[first];
	uint64_t count = 0;
	size_t i = first;
	for (; i < branches->count && branches->choices[i].branch == choice->branch &&
		branches->choices[i].arm == choice->arm;
		i++)
		count += branches->choices[i].count;
	wm_json_begin_array(json, NULL);
	wm_json_text(json, NULL, choice->outcome);
	if (choice->counted)
		wm_json_number(json, NULL, count);
	else
		wm_json_null(json, NULL);
	wm_json_number(json, NULL, choice->to_line);
	wm_json_end_array(json);
	return i;
}

void wm_html_branches_write(
	const struct wm_html_branches *branches, struct wm_html_files *files, struct wm_json *json)
{
	wm_json_begin_array(json, "branches");
	for (size_t i = 0; i < branches->count;) {
		const struct wm_html_choice *choice = &branches->choices[i];
		wm_json_begin_array(json, NULL);
		wm_json_signed(json, NULL, wm_html_files_number(files, choice->file));
		wm_json_number(json, NULL, choice->line);
		wm_json_number(json, NULL, choice->column);
		wm_json_text(json, NULL, choice->condition);
		wm_json_begin_array(json, NULL);
		while (i < branches->count && branches->choices[i].branch == choice->branch)
			i = write_arm(branches, i, json);
		wm_json_end_array(json);
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
}
