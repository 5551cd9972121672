/* waymark export: a profile as a file for other programs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/whole_file.h"
#include "export/format.h"

struct words {
	const char *to, *by, *output, *binary, *object;
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

static enum wm_metric find_metric(const char *name)
{
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (strcmp(wm_metric_texts[metric].name, name) == 0)
			return metric;
	wm_fatal_usage("export: --by='%s' is unknown: use calls or instructions", name);
}

static bool is_known(const struct wm_export_data *data, const struct wm_export_format *format,
	enum wm_metric metric)
{
	return format->by_function ? data->functions_known : data->known[metric];
}

_Noreturn static void refuse_metric(const struct wm_export_data *data, enum wm_metric metric)
{
	const char *path = data->profile->file.path, *name = wm_metric_texts[metric].name;
	if (data->has_contexts && data->functions_known)
		wm_fatal("export: %s were not counted by context in %s; --to=callgrind has them by "
			 "function",
			name, path);
	wm_fatal("export: %s are not known of all functions in %s: the build chose some paths only",
		name, path);
}

static struct wm_export_request choose_metrics(
	const struct wm_export_data *data, const struct wm_export_format *format, const char *by)
{
	struct wm_export_request request = {.version = WAYMARK_VERSION};
	request.metric = by ? find_metric(by) : WM_METRIC_CALLS;
	if (!is_known(data, format, request.metric))
		refuse_metric(data, request.metric);
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

int wm_command_export(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct words words = {.output = "-"};
	const struct wm_option options[] = {{"--to", &words.to, NULL}, {"--by", &words.by, NULL},
		{"-o", &words.output, NULL}, {"--binary", &words.binary, NULL},
		{"--object", &words.object, NULL}};
	int count =
		wm_options_parse("export", argc, argv, options, sizeof options / sizeof *options);
	const struct wm_export_format *format = find_format(words.to);
	refuse_terminal(format, words.output);
	if (words.by)
		find_metric(words.by);
	const struct wm_profile *profile = wm_find_profile(
		&arena, "export", argv + 1, (size_t)count, words.binary, words.object);
	const struct wm_export_data data = wm_export_data_make(&arena, profile);
	if (format->needs_contexts && !data.has_contexts)
		wm_fatal("export: contexts were not counted in %s, and %s needs them; build with "
			 "--profile=edges+context",
			profile->file.path, format->name);
	const struct wm_export_request request = choose_metrics(&data, format, words.by);
	struct wm_whole_file file;
	wm_whole_file_begin(&file, words.output);
	format->write(&data, &request, file.stream);
	wm_whole_file_end(&file);
	wm_arena_reset(&arena);
	return 0;
}
