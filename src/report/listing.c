/* Cells are cleaned and cut to their column's limit when they are added; the last column gets what
 * is left of the line when the others are known. Widths are in characters of UTF-8, not bytes. */
#include "report/listing.h"

#include <stdarg.h>
#include <string.h>

#include "report/paint.h"
#include "report/terminal.h"
#include "report/text.h"

/* Characters that the last column gets even if the others take the whole line. */
enum { NARROWEST = 16 };

static const char cut_mark[] = "...";

static bool starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
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

static char *cut(struct wm_arena *arena, const struct wm_column *column, size_t limit, char *text)
{
	size_t now = wm_text_width(text), mark = sizeof cut_mark - 1;
	if (limit == 0 || now <= limit)
		return text;
	size_t keep = limit - mark;
	bool keep_end = column->keep_end || (column->is_name && strstr(text, "::"));
	if (!keep_end) {
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

static void append(struct wm_listing *listing, char *cell)
{
	if (listing->cell_count == listing->capacity) {
		size_t capacity = listing->capacity ? 2 * listing->capacity : 64;
		char **cells = wm_arena_alloc(listing->arena, capacity, sizeof *cells);
		if (listing->cell_count)
			memcpy(cells, listing->cells, listing->cell_count * sizeof *cells);
		listing->cells = cells;
		listing->capacity = capacity;
	}
	listing->cells[listing->cell_count++] = cell;
}

void wm_listing_add(struct wm_listing *listing, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	char *text = wm_arena_alloc(listing->arena, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	const struct wm_column *column =
		&listing->columns[listing->cell_count % listing->column_count];
	append(listing,
		cut(listing->arena, column, column->widest, wm_text_clean(listing->arena, text)));
}

/* Bytes of the text that fit: up to the line's end, the last blank within the width, or the first
 * blank behind it. An arrow and what it points to stay together. */
static size_t fitting(const char *text, size_t wide)
{
	size_t found = 0, at = 0;
	for (size_t characters = 0; text[at] && text[at] != '\n'; at++) {
		bool glued = at >= 3 && strncmp(text + at - 3, "→", 3) == 0;
		if (text[at] == ' ' && !glued && (characters <= wide || found == 0))
			found = at;
		characters += starts_character(text[at]);
		if (characters > wide && found > 0)
			return found;
	}
	return at;
}

/* What the terminal's lines have more or less than 100 characters, the last column has, too. */
static size_t wide_on_terminal(size_t wide)
{
	enum { MEANT = 100 };
	size_t line = wm_terminal_width(stdout);
	if (line >= MEANT)
		return wide + line - MEANT;
	return wide + line > MEANT + NARROWEST ? wide + line - MEANT : NARROWEST;
}

void wm_listing_add_wrapped(struct wm_listing *listing, const char *text, size_t wide, size_t rows)
{
	wide = wide_on_terminal(wide);
	for (size_t row = 1;; row++) {
		size_t bytes = row == rows ? strlen(text) : fitting(text, wide);
		wm_listing_add(listing, "%.*s", (int)bytes, text);
		text += bytes + strspn(text + bytes, " \n");
		if (!*text)
			return;
		for (size_t i = 1; i < listing->column_count; i++)
			wm_listing_add(listing, "%s", "");
	}
}

void wm_listing_print_rest(FILE *out, bool colour, size_t left_out)
{
	if (left_out > 0)
		fprintf(out, "%s  %s more; --top=N shows N rows%s\n",
			wm_paint(colour, WM_PAINT_FAINT), wm_text_count(left_out).text,
			wm_paint(colour, WM_PAINT_PLAIN));
}

static size_t column_width(const struct wm_listing *listing, size_t column)
{
	size_t widest = wm_text_width(listing->columns[column].title);
	for (size_t i = column; i < listing->cell_count; i += listing->column_count) {
		size_t cell = wm_text_width(listing->cells[i]);
		widest = cell > widest ? cell : widest;
	}
	return widest;
}

static void narrow(const struct wm_listing *listing, size_t *widths, size_t column, size_t limit)
{
	for (size_t i = column; i < listing->cell_count; i += listing->column_count)
		listing->cells[i] =
			cut(listing->arena, &listing->columns[column], limit, listing->cells[i]);
	widths[column] = column_width(listing, column);
}

static size_t width_before(const size_t *widths, size_t column)
{
	size_t used = 2;
	for (size_t i = 0; i < column; i++)
		used += widths[i] + 2;
	return used;
}

/* Of the columns with texts before the last, the widest that can be cut; the last if there is none.
 * Numbers are never cut. */
static size_t widest_text(const struct wm_listing *listing, const size_t *widths)
{
	size_t last = listing->column_count - 1, found = last;
	for (size_t i = 0; i < last; i++)
		if (!listing->columns[i].right && widths[i] > NARROWEST &&
			(found == last || widths[i] > widths[found]))
			found = i;
	return found;
}

/* The last column gets the room that the others leave. Where that is too little, the widest of them
 * gives some. */
static void fit(const struct wm_listing *listing, size_t *widths, size_t line)
{
	size_t last = listing->column_count - 1;
	bool right = listing->columns[last].right;
	size_t least = widths[last] < NARROWEST || right ? widths[last] : NARROWEST;
	for (size_t used; (used = width_before(widths, last)) + least > line;) {
		size_t column = widest_text(listing, widths), before = widths[column];
		if (column == last)
			break;
		size_t over = used + least - line, spare = before - NARROWEST;
		narrow(listing, widths, column, before - (over < spare ? over : spare));
		if (widths[column] == before)
			break;
	}
	if (right)
		return;
	size_t used = width_before(widths, last);
	narrow(listing, widths, last, used + NARROWEST < line ? line - used : NARROWEST);
}

/* Prints one row. Blanks are printed only when something follows them: no line ends in blanks. */
static void print_row(
	const struct wm_listing *listing, const size_t *widths, char *const *cells, FILE *out)
{
	size_t blanks = 0;
	for (size_t i = 0; i < listing->column_count; i++) {
		size_t padding = widths[i] - wm_text_width(cells[i]);
		bool right = listing->columns[i].right;
		blanks += 2 + (right ? padding : 0);
		if (cells[i][0]) {
			fprintf(out, "%*s%s", (int)blanks, "", cells[i]);
			blanks = 0;
		}
		blanks += right ? 0 : padding;
	}
}

void wm_listing_print(const struct wm_listing *listing, FILE *out, bool colour)
{
	size_t count = listing->column_count;
	size_t *widths = wm_arena_alloc(listing->arena, count, sizeof *widths);
	char **titles = wm_arena_alloc(listing->arena, count, sizeof *titles);
	for (size_t i = 0; i < count; i++) {
		widths[i] = column_width(listing, i);
		titles[i] = wm_arena_copy_text(listing->arena, listing->columns[i].title);
	}
	fit(listing, widths, wm_terminal_width(out));
	fputs(wm_paint(colour, WM_PAINT_FAINT), out);
	print_row(listing, widths, titles, out);
	fprintf(out, "%s\n", wm_paint(colour, WM_PAINT_PLAIN));
	for (size_t i = 0; i < listing->cell_count; i += count) {
		print_row(listing, widths, listing->cells + i, out);
		fputc('\n', out);
	}
}
