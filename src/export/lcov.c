/* lcov's tracefile (geninfo(1)), for genhtml, Codecov and many editors: a section per test, and in it
 * one per source. Lines and outcomes of which it is not known whether they ran are left out. */
#include <ctype.h>
#include <inttypes.h>

#include "export/coverage.h"

/* lcov takes letters, digits and underscores. */
static void put_test(const char *test, FILE *out)
{
	fputs("TN:", out);
	for (; *test; test++)
		fputc(isalnum((unsigned char)*test) ? *test : '_', out);
	fputc('\n', out);
}

static void write_functions(const struct wm_cover_file *file, FILE *out)
{
	size_t found = 0, hit = 0;
	for (size_t i = 0; i < file->function_count; i++)
		if (file->functions[i].known)
			fprintf(out, "FN:%" PRIu32 ",%s\n", file->functions[i].line,
				file->functions[i].name);
	for (size_t i = 0; i < file->function_count; i++) {
		const struct wm_cover_function *function = &file->functions[i];
		if (!function->known)
			continue;
		fprintf(out, "FNDA:%" PRIu64 ",%s\n", function->count, function->name);
		found++;
		hit += function->count > 0;
	}
	fprintf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

/* A condition is a block of lcov's, its outcomes are the branches. A dash: it was never asked. */
static void write_outcomes(const struct wm_cover_file *file, FILE *out)
{
	size_t found = 0, hit = 0;
	for (size_t i = 0, end; i < file->outcome_count; i = end) {
		size_t block = wm_coverage_block(file, i), branch = 0;
		uint64_t sum = 0;
		end = wm_coverage_condition_end(file, i);
		for (size_t k = i; k < end; k++)
			sum += file->outcomes[k].count;
		for (size_t k = i; k < end; k++) {
			const struct wm_cover_outcome *outcome = &file->outcomes[k];
			if (!outcome->known)
				continue;
			fprintf(out, "BRDA:%" PRIu32 ",%zu,%zu,", outcome->line, block, branch++);
			if (sum > 0)
				fprintf(out, "%" PRIu64 "\n", outcome->count);
			else
				fputs("-\n", out);
			found++;
			hit += outcome->count > 0;
		}
	}
	fprintf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

static void write_lines(const struct wm_cover_file *file, FILE *out)
{
	size_t found = 0, hit = 0;
	for (size_t i = 0; i < file->lines.line_count; i++) {
		const struct wm_line *line = &file->lines.lines[i];
		if (!wm_coverage_line_known(line))
			continue;
		fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line->line, line->count);
		found++;
		hit += line->count > 0;
	}
	fprintf(out, "LF:%zu\nLH:%zu\n", found, hit);
}

void wm_export_lcov(const struct wm_coverage *coverage, FILE *out)
{
	for (size_t i = 0; i < coverage->cover->file_count; i++) {
		const struct wm_cover_file *file = &coverage->cover->files[i];
		put_test(coverage->test, out);
		fprintf(out, "SF:%s\n", file->path);
		write_functions(file, out);
		write_outcomes(file, out);
		write_lines(file, out);
		fputs("end_of_record\n", out);
	}
}
