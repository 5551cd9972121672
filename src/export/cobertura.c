/* Cobertura's XML (coverage-04.dtd), for GitLab, Jenkins, Azure and Codecov. A source file is a
 * class, a folder a package. */
#include <inttypes.h>
#include <string.h>

#include "export/coverage.h"
#include "report/xml.h"

struct xml {
	FILE *out;
	const struct wm_cover *cover;
	const char *root;
};

static double rate(uint64_t covered, uint64_t of)
{
	return of ? (double)covered / (double)of : 1;
}

static void put_rates(
	const struct wm_cover_amount *lines, const struct wm_cover_amount *outcomes, FILE *out)
{
	fprintf(out, "line-rate=\"%.4f\" branch-rate=\"%.4f\"", rate(lines->covered, lines->of),
		rate(outcomes->covered, outcomes->of));
}

/* The outcomes of a line, which start at *next. */
static void write_line(
	const struct wm_cover_file *file, const struct wm_line *line, size_t *next, FILE *out)
{
	size_t of = 0, covered = 0;
	while (*next < file->outcome_count && file->outcomes[*next].line < line->line)
		++*next;
	for (; *next < file->outcome_count && file->outcomes[*next].line == line->line; ++*next) {
		of += file->outcomes[*next].known;
		covered += file->outcomes[*next].known && file->outcomes[*next].count > 0;
	}
	fprintf(out, "<line number=\"%" PRIu32 "\" hits=\"%" PRIu64 "\" branch=\"%s\"", line->line,
		line->count, of ? "true" : "false");
	if (of)
		fprintf(out, " condition-coverage=\"%zu%% (%zu/%zu)\"", 100 * covered / of, covered,
			of);
	fputs("/>\n", out);
}

static void write_lines(const struct wm_cover_file *file, FILE *out)
{
	size_t next = 0;
	fputs("<lines>\n", out);
	for (size_t i = 0; i < file->lines.line_count; i++)
		if (wm_coverage_line_known(&file->lines.lines[i]))
			write_line(file, &file->lines.lines[i], &next, out);
	fputs("</lines>\n", out);
}

static void write_functions(const struct wm_cover_file *file, FILE *out)
{
	fputs("<methods>\n", out);
	for (size_t i = 0; i < file->function_count; i++) {
		const struct wm_cover_function *function = &file->functions[i];
		const char *rate_text = function->count > 0 ? "1" : "0";
		if (!function->known)
			continue;
		fputs("<method name=\"", out);
		wm_xml_put_text(function->name, out);
		fprintf(out,
			"\" signature=\"\" line-rate=\"%s\" branch-rate=\"%s\" complexity=\"0\">\n"
			"<lines><line number=\"%" PRIu32 "\" hits=\"%" PRIu64
			"\" branch=\"false\"/></lines>\n</method>\n",
			rate_text, rate_text, function->line, function->count);
	}
	fputs("</methods>\n", out);
}

static void write_class(const struct xml *xml, const struct wm_cover_file *file)
{
	const char *name = file->path + strlen(xml->root);
	fputs("<class name=\"", xml->out);
	wm_xml_put_text(name, xml->out);
	fputs("\" filename=\"", xml->out);
	wm_xml_put_text(name, xml->out);
	fputs("\" ", xml->out);
	put_rates(&file->amount[WM_COVER_LINES], &file->amount[WM_COVER_OUTCOMES], xml->out);
	fputs(" complexity=\"0\">\n", xml->out);
	write_functions(file, xml->out);
	write_lines(file, xml->out);
	fputs("</class>\n", xml->out);
}

static size_t folder_bytes(const struct xml *xml, size_t file)
{
	const char *name = xml->cover->files[file].path + strlen(xml->root);
	const char *slash = strrchr(name, '/');
	return slash ? (size_t)(slash - name) : 0;
}

static bool same_folder(const struct xml *xml, size_t a, size_t b)
{
	size_t bytes = folder_bytes(xml, a), root = strlen(xml->root);
	return bytes == folder_bytes(xml, b) &&
	       strncmp(xml->cover->files[a].path + root, xml->cover->files[b].path + root, bytes) ==
		       0;
}

static void write_package(const struct xml *xml, size_t first)
{
	struct wm_cover_amount lines = {0}, outcomes = {0};
	const struct wm_cover *cover = xml->cover;
	for (size_t i = first; i < cover->file_count; i++) {
		if (!same_folder(xml, first, i))
			continue;
		lines.of += cover->files[i].amount[WM_COVER_LINES].of;
		lines.covered += cover->files[i].amount[WM_COVER_LINES].covered;
		outcomes.of += cover->files[i].amount[WM_COVER_OUTCOMES].of;
		outcomes.covered += cover->files[i].amount[WM_COVER_OUTCOMES].covered;
	}
	fputs("<package name=\"", xml->out);
	struct wm_arena arena = {0};
	char *folder = wm_arena_copy_text(&arena, cover->files[first].path + strlen(xml->root));
	folder[folder_bytes(xml, first)] = '\0';
	wm_xml_put_text(folder[0] ? folder : ".", xml->out);
	wm_arena_reset(&arena);
	fputs("\" ", xml->out);
	put_rates(&lines, &outcomes, xml->out);
	fputs(" complexity=\"0\">\n<classes>\n", xml->out);
	for (size_t i = first; i < cover->file_count; i++)
		if (same_folder(xml, first, i))
			write_class(xml, &cover->files[i]);
	fputs("</classes>\n</package>\n", xml->out);
}

void wm_export_cobertura(const struct wm_coverage *coverage, FILE *out)
{
	struct wm_arena arena = {0};
	const struct wm_cover *cover = coverage->cover;
	const struct wm_cover_amount *lines = &cover->total[WM_COVER_LINES];
	const struct wm_cover_amount *outcomes = &cover->total[WM_COVER_OUTCOMES];
	const struct xml xml = {out, cover, wm_coverage_root(&arena, cover)};
	fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE coverage SYSTEM "
	      "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage ",
		out);
	put_rates(lines, outcomes, out);
	fprintf(out,
		" lines-covered=\"%" PRIu64 "\" lines-valid=\"%" PRIu64
		"\" branches-covered=\"%" PRIu64 "\" branches-valid=\"%" PRIu64
		"\" complexity=\"0\" version=\"waymark %s\" timestamp=\"%" PRIu64 "\">\n",
		lines->covered, lines->of, outcomes->covered, outcomes->of, coverage->version,
		coverage->time);
	fputs("<sources><source>", out);
	wm_xml_put_text(xml.root[0] ? xml.root : ".", out);
	fputs("</source></sources>\n<packages>\n", out);
	for (size_t i = 0; i < cover->file_count; i++) {
		bool first = true;
		for (size_t k = 0; k < i && first; k++)
			first = !same_folder(&xml, k, i);
		if (first)
			write_package(&xml, i);
	}
	fputs("</packages>\n</coverage>\n", out);
	wm_arena_reset(&arena);
}
