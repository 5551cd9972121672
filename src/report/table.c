/* Cells are cleaned and cut when they are added, so printing only measures and pads. Widths are in
 * characters of UTF-8, not bytes. */
#include "report/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/paint.h"
#include "report/text.h"

static const char cut_mark[] = "...";

static bool starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t width(const char *text)
{
	size_t characters = 0;
	for (; *text; text++)
		characters += starts_character(*text);
	return characters;
}

/* Start of character number `index`. */
static char *character(char *text, size_t index)
{
	while (*text) {
		if (starts_character(*text) && index-- == 0)
			break;
		text++;
	}
	return text;
}

static char *cut(struct wm_arena *arena, const struct wm_column *column, char *text)
{
	size_t now = width(text), mark = sizeof cut_mark - 1;
	if (column->widest == 0 || now <= column->widest)
		return text;
	size_t keep = column->widest - mark;
	if (!column->keep_end) {
		char *result = wm_arena_alloc(arena, strlen(text) + sizeof cut_mark, 1);
		size_t bytes = (size_t)(character(text, keep) - text);
		memcpy(result, text, bytes);
		memcpy(result + bytes, cut_mark, sizeof cut_mark);
		return result;
	}
	char *end = character(text, now - keep);
	char *result = wm_arena_alloc(arena, strlen(end) + sizeof cut_mark, 1);
	memcpy(result, cut_mark, mark);
	memcpy(result + mark, end, strlen(end) + 1);
	return result;
}

static void append(struct wm_table *table, char *cell)
{
	if (table->cell_count == table->capacity) {
		size_t capacity = table->capacity ? 2 * table->capacity : 64;
		char **cells = wm_arena_alloc(table->arena, capacity, sizeof *cells);
		if (table->cell_count)
			memcpy(cells, table->cells, table->cell_count * sizeof *cells);
		table->cells = cells;
		table->capacity = capacity;
	}
	table->cells[table->cell_count++] = cell;
}

void wm_table_add(struct wm_table *table, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	char *text = wm_arena_alloc(table->arena, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	const struct wm_column *column = &table->columns[table->cell_count % table->column_count];
	append(table, cut(table->arena, column, wm_text_clean(table->arena, text)));
}

static size_t column_width(const struct wm_table *table, size_t column)
{
	size_t widest = width(table->columns[column].title);
	for (size_t i = column; i < table->cell_count; i += table->column_count) {
		size_t cell = width(table->cells[i]);
		widest = cell > widest ? cell : widest;
	}
	return widest;
}

static void print_cell(
	FILE *out, const char *text, const struct wm_column *column, size_t widest, bool last)
{
	int padding = (int)(widest - width(text));
	fprintf(out, "  %*s%s%*s", column->right ? padding : 0, "", text,
		column->right || last ? 0 : padding, "");
}

void wm_table_print(const struct wm_table *table, FILE *out, bool colour)
{
	size_t count = table->column_count;
	size_t *widths = wm_arena_alloc(table->arena, count, sizeof *widths);
	for (size_t i = 0; i < count; i++)
		widths[i] = column_width(table, i);
	fputs(wm_paint(colour, WM_PAINT_FAINT), out);
	for (size_t i = 0; i < count; i++)
		print_cell(out, table->columns[i].title, &table->columns[i], widths[i],
			i + 1 == count);
	fprintf(out, "%s\n", wm_paint(colour, WM_PAINT_PLAIN));
	for (size_t i = 0; i < table->cell_count; i++) {
		size_t column = i % count;
		bool last = column + 1 == count;
		print_cell(out, table->cells[i], &table->columns[column], widths[column], last);
		if (last)
			fputc('\n', out);
	}
}
