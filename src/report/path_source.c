/* Marks are gathered block by block and joined by sorting; printing walks over the marks of one
 * file and fills the gaps between them with the text around them. */
#include "report/path_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

enum { LINES_AROUND = 2, WIDEST_OUTCOMES = 24 };

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

struct printer {
	struct wm_sources *sources;
	bool colour;
	FILE *out;
	size_t outcome_wide; /* characters */
};

static void print_line(
	struct printer *printer, const char *file, uint32_t line, const struct wm_path_mark *mark)
{
	bool colour = printer->colour;
	const char *outcomes = mark ? mark->outcomes : "";
	size_t wide = wm_text_width(outcomes);
	int blanks = wide < printer->outcome_wide ? (int)(printer->outcome_wide - wide) : 0;
	fprintf(printer->out, "%s  %c %s%*s %6" PRIu32 " |%s%s\n",
		wm_paint(colour, mark ? WM_PAINT_HOT : WM_PAINT_FAINT), mark ? '>' : ' ', outcomes,
		blanks, "", line, wm_sources_line(printer->sources, file, line),
		wm_paint(colour, WM_PAINT_PLAIN));
}

/* Prints the lines between two marks of a file, or what fits of them, behind `done`. */
static void print_gap(struct printer *printer, const char *file, uint32_t done, uint32_t next)
{
	bool skips = next - done > 2 * LINES_AROUND + 2;
	for (uint32_t line = done + 1; line < next; line++) {
		bool near_done = done > 0 && line <= done + LINES_AROUND;
		bool near_next = line + LINES_AROUND >= next;
		if (!skips || near_done || near_next)
			print_line(printer, file, line, NULL);
		else if (done > 0 && line == done + LINES_AROUND + 1)
			fprintf(printer->out, "    %*s ...\n", (int)printer->outcome_wide, "");
	}
}

static size_t print_file(
	struct printer *printer, const struct wm_path_mark *marks, size_t mark_count)
{
	struct wm_arena arena = {0};
	const char *file = marks[0].file;
	uint32_t done = 0;
	size_t i = 0;
	wm_paint_title(printer->out, printer->colour, wm_text_clean(&arena, file));
	for (; i < mark_count && strcmp(marks[i].file, file) == 0; i++) {
		print_gap(printer, file, done, marks[i].line);
		print_line(printer, file, marks[i].line, &marks[i]);
		done = marks[i].line;
	}
	for (uint32_t line = done + 1; line <= done + LINES_AROUND; line++)
		if (wm_sources_line(printer->sources, file, line)[0])
			print_line(printer, file, line, NULL);
	wm_arena_reset(&arena);
	return i;
}

void wm_path_source_print(const struct wm_path_mark *marks, size_t mark_count,
	struct wm_sources *sources, bool colour, FILE *out)
{
	struct printer printer = {.sources = sources, .colour = colour, .out = out};
	for (size_t i = 0; i < mark_count; i++) {
		size_t wide = wm_text_width(marks[i].outcomes);
		if (wide > printer.outcome_wide)
			printer.outcome_wide = wide < WIDEST_OUTCOMES ? wide : WIDEST_OUTCOMES;
	}
	for (size_t i = 0; i < mark_count;)
		i += print_file(&printer, marks + i, mark_count - i);
}
