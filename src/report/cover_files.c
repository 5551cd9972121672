/* Lists sorted by place, equal entries added, and cut into files. */
#include "report/cover_gathering.h"

#include <stdlib.h>
#include <string.h>

static int compare_functions(const void *left, const void *right)
{
	const struct wm_cover_function *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_outcomes(const void *left, const void *right)
{
	const struct wm_cover_outcome *a = left, *b = right;
	const uint32_t numbers[][2] = {{a->line, b->line}, {a->column, b->column},
		{(uint32_t)a->outcome, (uint32_t)b->outcome}, {a->to_line, b->to_line},
		{a->to_column, b->to_column}};
	int order = strcmp(a->file, b->file);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
		order = (numbers[i][0] > numbers[i][1]) - (numbers[i][0] < numbers[i][1]);
	return order;
}

void wm_cover_join_functions(struct wm_cover_gathering *gathering)
{
	size_t kept = 0;
	struct wm_cover_function *list = gathering->functions;
	if (gathering->function_count > 0)
		qsort(list, gathering->function_count, sizeof *list, compare_functions);
	for (size_t i = 0; i < gathering->function_count; i++) {
		if (kept == 0 || compare_functions(&list[kept - 1], &list[i]) != 0) {
			list[kept++] = list[i];
			continue;
		}
		struct wm_cover_function *same = &list[kept - 1];
		same->known = same->count + list[i].count > 0 || (same->known && list[i].known);
		same->count += list[i].count;
	}
	gathering->function_count = kept;
}

void wm_cover_join_outcomes(struct wm_cover_gathering *gathering)
{
	size_t kept = 0;
	struct wm_cover_outcome *list = gathering->outcomes;
	if (gathering->outcome_count > 0)
		qsort(list, gathering->outcome_count, sizeof *list, compare_outcomes);
	for (size_t i = 0; i < gathering->outcome_count; i++) {
		if (kept == 0 || compare_outcomes(&list[kept - 1], &list[i]) != 0) {
			list[kept++] = list[i];
			continue;
		}
		struct wm_cover_outcome *same = &list[kept - 1];
		same->known = (same->known || same->stated) && (list[i].known || list[i].stated);
		same->stated |= list[i].stated;
		same->count += list[i].count;
	}
	for (size_t i = 0; i < kept; i++)
		list[i].known |= list[i].stated;
	gathering->outcome_count = kept;
}

static void count_one(struct wm_cover_amount *amount, bool known, bool covered)
{
	amount->of += known;
	amount->covered += known && covered;
	amount->unknown += !known;
}

/* Files by path, from three sorted lists. */
void wm_cover_make_files(struct wm_cover_gathering *gathering)
{
	const struct wm_lines *lines = &gathering->lines;
	struct wm_cover *cover = gathering->cover;
	const struct wm_cover_function *function = gathering->functions;
	const struct wm_cover_outcome *outcome = gathering->outcomes;
	const struct wm_cover_function *last_function = function + gathering->function_count;
	const struct wm_cover_outcome *last_outcome = outcome + gathering->outcome_count;
	size_t line_file = 0,
	       max = lines->file_count + gathering->function_count + gathering->outcome_count;
	cover->files = wm_arena_alloc(gathering->arena, max, sizeof *cover->files);
	for (;;) {
		const char *path =
			line_file < lines->file_count ? lines->files[line_file].path : NULL;
		if (function < last_function && (!path || strcmp(function->file, path) < 0))
			path = function->file;
		if (outcome < last_outcome && (!path || strcmp(outcome->file, path) < 0))
			path = outcome->file;
		if (!path)
			return;
		struct wm_cover_file file = {
			.path = path, .functions = function, .outcomes = outcome};
		if (line_file < lines->file_count &&
			strcmp(lines->files[line_file].path, path) == 0)
			file.lines = lines->files[line_file++];
		for (; function < last_function && strcmp(function->file, path) == 0; function++) {
			file.function_count++;
			count_one(&file.amount[WM_COVER_FUNCTIONS], function->known,
				function->count > 0);
		}
		for (; outcome < last_outcome && strcmp(outcome->file, path) == 0; outcome++) {
			file.outcome_count++;
			count_one(&file.amount[WM_COVER_OUTCOMES], outcome->known,
				outcome->count > 0);
		}
		for (size_t i = 0; i < file.lines.line_count; i++)
			count_one(&file.amount[WM_COVER_LINES],
				file.lines.lines[i].state != WM_LINE_UNKNOWN &&
					(file.lines.lines[i].count > 0 ||
						file.lines.lines[i].state == WM_LINE_EXACT),
				file.lines.lines[i].count > 0);
		if (file.lines.line_count + file.function_count + file.outcome_count == 0)
			continue;
		for (size_t q = 0; q <= WM_COVER_OUTCOMES; q++) {
			cover->total[q].of += file.amount[q].of;
			cover->total[q].covered += file.amount[q].covered;
			cover->total[q].unknown += file.amount[q].unknown;
		}
		cover->files[cover->file_count++] = file;
	}
}
