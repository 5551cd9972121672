/* waymark export: a profile as a file for other programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/cover_runs.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/metrics.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/residual_sides.h"
#include "cli/whole_file.h"
#include "export/format.h"

struct words {
	const char *to, *by, *output, *binary, *object, *tested;
};

static const struct wm_export_format *find_format(const char *name)
{
	if (!name)
		wm_fatal_usage("export: name a format: --to=FORMAT; see `waymark export --help`");
	struct wm_nearest nearest = {.word = name};
	for (size_t i = 0; i < wm_export_format_count; i++) {
		if (strcmp(wm_export_formats[i].name, name) == 0)
			return &wm_export_formats[i];
		wm_nearest_offer(&nearest, wm_export_formats[i].name);
	}
	if (nearest.best)
		wm_fatal_usage("export: unknown format '%s'; did you mean %s?", name, nearest.best);
	wm_fatal_usage("export: unknown format '%s'; see `waymark export --help`", name);
}

static bool is_known(const struct wm_export_data *data, const struct wm_export_format *format,
	enum wm_metric metric)
{
	return format->by_function ? data->functions_known : data->known[metric];
}

static struct wm_export_request choose_metrics(
	const struct wm_export_data *data, const struct wm_export_format *format, const char *by)
{
	struct wm_export_request request = {.version = WAYMARK_VERSION};
	request.metric = by ? wm_metric_find("export", by) : WM_METRIC_CALLS;
	if (!is_known(data, format, request.metric))
		wm_metric_refuse("export", data, request.metric);
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		request.only[metric] =
			by ? metric == request.metric : is_known(data, format, metric);
	return request;
}

static void refuse_terminal(const struct wm_export_format *format, const char *output)
{
	if (format->binary && strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
		wm_fatal_usage(
			"export: %s is not for terminals; name a file with -o FILE", format->name);
}

/* Options of other formats are mistakes. */
static void refuse_others(const struct wm_export_format *format, const struct words *words)
{
	if (!format->write && (words->by || words->object))
		wm_fatal_usage(
			"export: %s has no %s", format->name, words->by ? "--by" : "--object");
	if (format->no_metric && words->by)
		wm_fatal_usage("export: %s has no --by", format->name);
	if (!format->write_residual && words->tested)
		wm_fatal_usage("export: %s has no --tested", format->name);
}

struct covering {
	const struct wm_export_format *format;
	FILE *out;
};

static void write_coverage(const struct covering *covering, const char *test,
	const struct wm_profile *profiles, size_t count)
{
	struct wm_arena arena = {0};
	struct wm_cover cover;
	struct wm_error error;
	const struct wm_cover_request request = {.profiles = profiles, .profile_count = count};
	struct wm_coverage coverage = {.version = WAYMARK_VERSION, .test = test, .cover = &cover};
	if (wm_cover_make(&arena, &request, &cover, &error) < 0)
		wm_fatal("export: %s", error.text);
	if (cover.file_count == 0)
		wm_fatal("export: no lines are known: build with -g");
	for (size_t i = 0; i < count; i++)
		if ((uint64_t)profiles[i].file.modified > coverage.time)
			coverage.time = (uint64_t)profiles[i].file.modified;
	covering->format->write_coverage(&coverage, covering->out);
	wm_arena_reset(&arena);
}

static void write_test(
	void *context, const char *label, const struct wm_profile *profiles, size_t count)
{
	write_coverage(context, label, profiles, count);
}

/* Coverage is of all profiles, of whatever programs. */
static void export_coverage(const struct wm_export_format *format, const struct words *words,
	char **files, size_t count)
{
	struct wm_arena arena = {0};
	struct wm_cover_runs runs;
	struct wm_whole_file file;
	char *text;
	size_t bytes;
	struct covering covering = {format, open_memstream(&text, &bytes)};
	if (format->by_test) {
		wm_cover_runs_each("export", files, count, words->binary, write_test, &covering);
	} else {
		wm_cover_runs_read(&arena, "export", files, count, words->binary, &runs);
		write_coverage(&covering, "", runs.profiles, runs.profile_count);
	}
	fclose(covering.out);
	wm_whole_file_begin(&file, words->output);
	fwrite(text, 1, bytes, file.stream);
	wm_whole_file_end(&file);
	free(text);
	wm_arena_reset(&arena);
}

static void export_residual(const struct wm_export_format *format, const struct words *words,
	char **files, size_t count)
{
	struct wm_arena arena = {0};
	struct wm_residual residual;
	struct wm_residual_sides sides = {.tested = words->tested, .binary = words->binary};
	struct wm_whole_file file;
	wm_residual_sides_read(&arena, "export", files, count, &sides, &residual);
	wm_whole_file_begin(&file, words->output);
	format->write_residual(&residual, WAYMARK_VERSION, file.stream);
	wm_whole_file_end(&file);
	wm_arena_reset(&arena);
}

int wm_command_export(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct words words = {.output = "-"};
	const struct wm_option options[] = {{"--to", &words.to, NULL}, {"--by", &words.by, NULL},
		{"-o", &words.output, NULL}, {"--binary", &words.binary, NULL},
		{"--object", &words.object, NULL}, {"--tested", &words.tested, NULL}};
	int count =
		wm_options_parse("export", argc, argv, options, sizeof options / sizeof *options);
	const struct wm_export_format *format = find_format(words.to);
	refuse_terminal(format, words.output);
	refuse_others(format, &words);
	if (format->write_coverage)
		export_coverage(format, &words, argv + 1, (size_t)count);
	if (format->write_residual)
		export_residual(format, &words, argv + 1, (size_t)count);
	if (!format->write)
		return 0;
	if (words.by)
		wm_metric_find("export", words.by);
	const struct wm_profile *profile = wm_find_profile(
		&arena, "export", argv + 1, (size_t)count, words.binary, words.object);
	const struct wm_export_data data = wm_export_data_make(&arena, profile);
	if (format->needs_contexts && !data.has_contexts)
		wm_fatal("export: contexts were not counted in %s, and %s needs them; build with "
			 "--profile=edges+context",
			profile->file.path, format->name);
	if (format->needs_pseudo_probes && !wm_export_sample_is_possible(&data))
		wm_fatal("export: %s is of a build without pseudo probes, by which clang finds its "
			 "code again; build with -g -fpseudo-probe-for-profiling, and not with "
			 "--at=early",
			profile->file.path);
	const struct wm_export_request request = choose_metrics(&data, format, words.by);
	struct wm_whole_file file;
	wm_whole_file_begin(&file, words.output);
	format->write(&data, &request, file.stream);
	wm_whole_file_end(&file);
	wm_arena_reset(&arena);
	return 0;
}
