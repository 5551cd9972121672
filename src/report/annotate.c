/* Annotated source: two sorted lists, the lines of the text and the lines with counts, side by
 * side. */
#include "report/annotate.h"

#include <inttypes.h>

#include "report/json.h"
#include "report/paint.h"
#include "report/text.h"

static uint64_t highest_count(const struct wm_line_file *counts)
{
	uint64_t highest = 0;
	for (size_t i = 0; i < counts->line_count; i++)
		if (counts->lines[i].count > highest)
			highest = counts->lines[i].count;
	return highest;
}

/* The line is NULL where nothing can be executed. A bound is marked. */
static enum wm_paint heat(const struct wm_line *line, uint64_t highest)
{
	if (!line || line->state == WM_LINE_UNKNOWN)
		return WM_PAINT_FAINT;
	if (line->count == 0)
		return WM_PAINT_MISSING;
	if (line->count >= highest - highest / 2)
		return WM_PAINT_HOT;
	return line->count >= highest / 10 ? WM_PAINT_WARM : WM_PAINT_PLAIN;
}

static struct wm_text count_text(const struct wm_line *line, bool colour)
{
	struct wm_text text = {"-"}, number;
	if (!line || line->state == WM_LINE_UNKNOWN)
		return text;
	if (line->count == 0 && line->state == WM_LINE_EXACT) {
		snprintf(text.text, sizeof text.text, "#####");
		return text;
	}
	if (colour)
		number = wm_text_count(line->count);
	else
		snprintf(number.text, sizeof number.text, "%" PRIu64, line->count);
	snprintf(text.text, sizeof text.text, "%s%.*s", line->state == WM_LINE_BOUND ? "~" : "",
		(int)sizeof text.text - 2, number.text);
	return text;
}

static void print_line(const struct wm_line *line, size_t number, const char *text,
	uint64_t highest, bool colour, FILE *out)
{
	enum wm_paint paint = heat(line, highest);
	fprintf(out, "%s%14s%s:%5zu:", wm_paint(colour, paint), count_text(line, colour).text,
		wm_paint(colour, WM_PAINT_PLAIN), number);
	bool painted = paint != WM_PAINT_PLAIN && line;
	fprintf(out, "%s%s%s\n", wm_paint(colour && painted, paint), text,
		wm_paint(colour && painted, WM_PAINT_PLAIN));
}

void wm_annotate_print(const struct wm_line_file *counts, const struct wm_source_text *source,
	bool colour, FILE *out)
{
	uint64_t highest = highest_count(counts);
	fprintf(out, "%s%14s:%5d:Source:%s%s\n", wm_paint(colour, WM_PAINT_TITLE), "-", 0,
		source->path, wm_paint(colour, WM_PAINT_PLAIN));
	for (size_t i = 0, next = 0; i < source->line_count; i++) {
		const struct wm_line *line = NULL;
		if (next < counts->line_count && counts->lines[next].line == i + 1)
			line = &counts->lines[next++];
		print_line(line, i + 1, source->lines[i], highest, colour, out);
	}
}

static void write_file(struct wm_json *json, const struct wm_line_file *file)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "file", file->path);
	wm_json_begin_array(json, "lines");
	for (size_t i = 0; i < file->line_count; i++) {
		wm_json_begin_object(json, NULL);
		const struct wm_line *line = &file->lines[i];
		wm_json_number(json, "line", line->line);
		wm_json_number(json, "count", line->count);
		if (line->state != WM_LINE_EXACT)
			wm_json_flag(json, "bound", true);
		if (line->state != WM_LINE_EXACT && line->max != UINT64_MAX)
			wm_json_number(json, "max", line->max);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}

void wm_annotate_json(const struct wm_line_file *const *files, size_t file_count, FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_document(&json, "annotate");
	wm_json_begin_array(&json, "files");
	for (size_t i = 0; i < file_count; i++)
		write_file(&json, files[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
