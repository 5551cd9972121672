/* The JSON of `llvm-cov export` (version 2.0.1), for tools that read it: files with segments and
 * branches, functions, and summaries. A segment is where the count of the text changes: here the
 * start of each line that is known. */
#include <inttypes.h>

#include "export/coverage.h"
#include "report/json.h"

static void write_summary(struct wm_json *json, const char *key, const struct wm_cover_amount *amount,
	bool with_not_covered)
{
	wm_json_begin_object(json, key);
	wm_json_number(json, "count", amount->of);
	wm_json_number(json, "covered", amount->covered);
	if (with_not_covered)
		wm_json_number(json, "notcovered", amount->of - amount->covered);
	wm_json_real(json, "percent",
		amount->of ? 100.0 * (double)amount->covered / (double)amount->of : 0);
	wm_json_end_object(json);
}

static void write_summaries(
	struct wm_json *json, const char *key, const struct wm_cover_amount *amount)
{
	const struct wm_cover_amount *lines = &amount[WM_COVER_LINES];
	wm_json_begin_object(json, key);
	write_summary(json, "branches", &amount[WM_COVER_OUTCOMES], true);
	write_summary(json, "functions", &amount[WM_COVER_FUNCTIONS], false);
	write_summary(json, "instantiations", &amount[WM_COVER_FUNCTIONS], false);
	write_summary(json, "lines", lines, false);
	write_summary(json, "regions", lines, true);
	wm_json_end_object(json);
}

/* Line, column, count, whether there is one, whether a region starts there, whether it is a gap. */
static void write_segment(struct wm_json *json, uint32_t line, uint64_t count, bool counted)
{
	wm_json_begin_array(json, NULL);
	wm_json_number(json, NULL, line);
	wm_json_number(json, NULL, 1);
	wm_json_number(json, NULL, count);
	wm_json_flag(json, NULL, counted);
	wm_json_flag(json, NULL, counted);
	wm_json_flag(json, NULL, false);
	wm_json_end_array(json);
}

static void write_segments(struct wm_json *json, const struct wm_cover_file *file)
{
	uint32_t end = 0; /* the line behind the last one written */
	wm_json_begin_array(json, "segments");
	for (size_t i = 0; i < file->lines.line_count; i++) {
		const struct wm_line *line = &file->lines.lines[i];
		if (!wm_coverage_line_known(line))
			continue;
		if (end && end < line->line)
			write_segment(json, end, 0, false);
		write_segment(json, line->line, line->count, true);
		end = line->line + 1;
	}
	if (end)
		write_segment(json, end, 0, false);
	wm_json_end_array(json);
}

static uint64_t count_of(
	const struct wm_cover_file *file, size_t first, size_t end, enum wm_outcome outcome)
{
	for (size_t i = first; i < end; i++)
		if (file->outcomes[i].outcome == outcome)
			return file->outcomes[i].count;
	return 0;
}

/* Conditions with a yes and a no: place, both counts, the file's number twice, and the kind of
 * region. */
static void write_branches(struct wm_json *json, const struct wm_cover_file *file)
{
	wm_json_begin_array(json, "branches");
	for (size_t i = 0, end; i < file->outcome_count; i = end) {
		const struct wm_cover_outcome *first = &file->outcomes[i];
		end = wm_coverage_condition_end(file, i);
		if (!first->known ||
			(first->outcome != WM_OUTCOME_YES && first->outcome != WM_OUTCOME_NO))
			continue;
		wm_json_begin_array(json, NULL);
		for (int k = 0; k < 2; k++) {
			wm_json_number(json, NULL, first->line);
			wm_json_number(json, NULL, first->column + (k > 0));
		}
		wm_json_number(json, NULL, count_of(file, i, end, WM_OUTCOME_YES));
		wm_json_number(json, NULL, count_of(file, i, end, WM_OUTCOME_NO));
		wm_json_number(json, NULL, 0);
		wm_json_number(json, NULL, 0);
		wm_json_number(json, NULL, 4);
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
}

static void write_file(struct wm_json *json, const struct wm_cover_file *file)
{
	wm_json_begin_object(json, NULL);
	write_branches(json, file);
	wm_json_begin_array(json, "expansions");
	wm_json_end_array(json);
	wm_json_text(json, "filename", file->path);
	write_segments(json, file);
	write_summaries(json, "summary", file->amount);
	wm_json_end_object(json);
}

static void write_function(struct wm_json *json, const struct wm_cover_function *function)
{
	wm_json_begin_object(json, NULL);
	wm_json_begin_array(json, "branches");
	wm_json_end_array(json);
	wm_json_number(json, "count", function->count);
	wm_json_begin_array(json, "filenames");
	wm_json_text(json, NULL, function->file);
	wm_json_end_array(json);
	wm_json_text(json, "name", function->name);
	wm_json_begin_array(json, "regions");
	wm_json_begin_array(json, NULL);
	wm_json_number(json, NULL, function->line);
	wm_json_number(json, NULL, 1);
	wm_json_number(json, NULL, function->line);
	wm_json_number(json, NULL, 1);
	wm_json_number(json, NULL, function->count);
	for (int i = 0; i < 3; i++)
		wm_json_number(json, NULL, 0);
	wm_json_end_array(json);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

void wm_export_llvm_cov(const struct wm_coverage *coverage, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_cover *cover = coverage->cover;
	wm_json_begin_object(&json, NULL);
	wm_json_begin_array(&json, "data");
	wm_json_begin_object(&json, NULL);
	wm_json_begin_array(&json, "files");
	for (size_t i = 0; i < cover->file_count; i++)
		write_file(&json, &cover->files[i]);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < cover->file_count; i++)
		for (size_t k = 0; k < cover->files[i].function_count; k++)
			if (cover->files[i].functions[k].known)
				write_function(&json, &cover->files[i].functions[k]);
	wm_json_end_array(&json);
	write_summaries(&json, "totals", cover->total);
	wm_json_end_object(&json);
	wm_json_end_array(&json);
	wm_json_text(&json, "type", "llvm.coverage.json.export");
	wm_json_text(&json, "version", "2.0.1");
	wm_json_end_object(&json);
}
