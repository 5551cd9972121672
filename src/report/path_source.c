/* Marks are gathered block by block and joined by sorting. */
#include "report/path_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/place.h"

/* A visit to a line; several become one mark. */
struct visit {
	const char *file;
	uint32_t line;
	size_t file_order; /* the function's own file first, others as they are met */
	size_t order;
	const char *outcome;
};

struct visits {
	const char *own_file;
	struct visit *list;
	size_t count;
};

static int compare_visits(const void *left, const void *right)
{
	const struct visit *a = left, *b = right;
	if (a->file_order != b->file_order)
		return a->file_order < b->file_order ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void add_visit(struct visits *visits, const char *file, uint32_t line, const char *outcome)
{
	size_t file_order = strcmp(file, visits->own_file) == 0 ? 0 : visits->count + 1;
	for (size_t i = visits->count; i-- > 0;)
		if (strcmp(visits->list[i].file, file) == 0) {
			file_order = visits->list[i].file_order;
			break;
		}
	visits->list[visits->count] =
		(struct visit){file, line, file_order, visits->count, outcome};
	visits->count++;
}

/* A choice without a line stands on the last line of its block. */
static void add_outcome(struct visits *visits, const struct wm_function *function, uint32_t block,
	const char *outcome)
{
	const struct wm_block *source = &function->blocks[block];
	for (uint32_t i = source->position_count; i-- > 0;) {
		const struct wm_position *position =
			&function->positions[source->first_position + i];
		const char *file = function->scopes[position->scope].file;
		if (position->line && file[0]) {
			add_visit(visits, file, position->line, outcome);
			return;
		}
	}
}

static void add_choices(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_path_step *step, struct visits *visits)
{
	size_t count;
	const struct wm_path_choice *choices = wm_path_choices(arena, map, step, &count);
	for (size_t i = 0; i < count; i++) {
		const struct wm_place *place = &choices[i].condition;
		const char *outcome = wm_path_outcome(arena, map, &choices[i]);
		if (place->line)
			add_visit(visits, place->file, place->line, outcome);
		else
			add_outcome(visits, map->function, step->block, outcome);
	}
}

static void add_path(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, struct visits *visits)
{
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	for (uint32_t i = 0; i < path->block_count; i++) {
		uint32_t block = path->blocks[i];
		for (size_t k = 0; k < map->line_count[block]; k++)
			if (map->lines[block][k].file[0])
				add_visit(visits, map->lines[block][k].file,
					map->lines[block][k].line, "");
		add_choices(arena, map, &steps[i], visits);
	}
	const char *ending = path->partial					  ? "left early"
			     : wm_profile_path_never_returns(map->function, path) ? "no return"
										  : "";
	if (ending[0] && path->block_count > 0)
		add_outcome(visits, map->function, path->blocks[path->block_count - 1], ending);
}

static const char *join_outcomes(struct wm_arena *arena, const struct visit *visits, size_t count)
{
	size_t bytes = 1;
	for (size_t i = 0; i < count; i++)
		bytes += strlen(visits[i].outcome) + strlen(", ");
	char *text = wm_arena_alloc(arena, bytes, 1), *next = text;
	for (size_t i = 0; i < count; i++)
		if (visits[i].outcome[0])
			next += sprintf(next, "%s%s", next == text ? "" : ", ", visits[i].outcome);
	return text;
}

/* No more than one visit for each line and choice, and one for the ending. */
static size_t max_visits(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_profile_path *path)
{
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	size_t max = 1;
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t choices;
		wm_path_choices(arena, map, &steps[i], &choices);
		max += map->line_count[path->blocks[i]] + choices;
	}
	return max;
}

struct wm_path_mark *wm_path_marks(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, size_t *mark_count)
{
	size_t max = 0;
	for (size_t i = 0; i < piece_count; i++)
		max += max_visits(arena, map, pieces[i]);
	struct visits visits = {.own_file = map->function->scopes[0].file,
		.list = wm_arena_alloc(arena, max, sizeof *visits.list)};
	struct wm_path_mark *marks = wm_arena_alloc(arena, max, sizeof *marks);
	for (size_t i = 0; i < piece_count; i++)
		add_path(arena, map, pieces[i], &visits);
	if (visits.count > 0)
		qsort(visits.list, visits.count, sizeof *visits.list, compare_visits);
	*mark_count = 0;
	for (size_t i = 0, end; i < visits.count; i = end) {
		const struct visit *first = &visits.list[i];
		for (end = i + 1; end < visits.count; end++)
			if (visits.list[end].line != first->line ||
				visits.list[end].file_order != first->file_order)
				break;
		marks[(*mark_count)++] = (struct wm_path_mark){
			first->file, first->line, join_outcomes(arena, first, end - i)};
	}
	return marks;
}
