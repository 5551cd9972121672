/* waymark report --correlated and --superblocks: what counts of paths say, and counts of edges do
 * not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "report/correlated_view.h"
#include "report/paint.h"
#include "report/superblock_view.h"

/* What both have. */
struct request {
	const char *option; /* --correlated or --superblocks */
	const char *top, *percent, *binary, *object;
	bool json;
	size_t rows; /* 0: all */
	const struct wm_profile *profile;
	struct wm_sources sources;
};

static double parse_percent(const char *option, const char *text, double above)
{
	char *end;
	double percent = strtod(text, &end);
	if (end != text && *end == '%')
		end++;
	if (end == text || *end || !(percent > above && percent <= 100))
		wm_fatal_usage("report: %s='%s': a share above %g and up to 100, such as 99.5",
			option, text, above);
	return percent;
}

static void load(struct wm_arena *arena, struct request *request, char **files, int file_count)
{
	request->rows = wm_options_number("report", "--top", request->top ? request->top : "10");
	if (request->json && !request->top)
		request->rows = 0;
	request->profile = wm_find_profile(
		arena, "report", files, (size_t)file_count, request->binary, request->object);
	request->sources = wm_sources_of(&request->profile->object);
}

static void check_counted(const struct request *request, uint32_t functions)
{
	if (functions == 0)
		wm_fatal("report: %s: paths were not counted in %s; build with --profile=paths",
			request->option, request->profile->file.path);
}

static int end(struct wm_arena *arena, struct request *request)
{
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
	wm_stale_warn("report", &request->sources);
	wm_sources_free(&request->sources);
	wm_arena_reset(arena);
	return 0;
}

int wm_command_correlated(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_correlated found;
	struct request request = {.option = "--correlated", .percent = "100"};
	const struct wm_option options[] = {{"--correlated", NULL, NULL},
		{"--at-least", &request.percent, NULL}, {"--top", &request.top, NULL},
		{"--binary", &request.binary, NULL}, {"--object", &request.object, NULL},
		{"--json", NULL, &request.json}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	/* At 50 percent either outcome could be the one that is decided. */
	double percent = parse_percent("--at-least", request.percent, 50);
	load(&arena, &request, argv + 1, left);
	wm_correlated_find(&arena, request.profile, percent, &found);
	check_counted(&request, found.functions);
	const struct wm_correlated_view view = {.profile = request.profile,
		.found = &found,
		.percent = percent,
		.top = request.rows,
		.colour = wm_paint_wanted(stdout),
		.sources = &request.sources};
	if (request.json)
		wm_correlated_view_json(&view, stdout);
	else
		wm_correlated_view_print(&view, stdout);
	return end(&arena, &request);
}

int wm_command_superblocks(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_superblock_rows found;
	struct request request = {.option = "--superblocks", .percent = "70"};
	const struct wm_option options[] = {{"--superblocks", NULL, NULL},
		{"--completion", &request.percent, NULL}, {"--top", &request.top, NULL},
		{"--binary", &request.binary, NULL}, {"--object", &request.object, NULL},
		{"--json", NULL, &request.json}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	double percent = parse_percent("--completion", request.percent, 0);
	load(&arena, &request, argv + 1, left);
	wm_superblock_rows_find(&arena, request.profile, percent, &found);
	check_counted(&request, found.functions);
	const struct wm_superblock_view view = {.profile = request.profile,
		.found = &found,
		.percent = percent,
		.top = request.rows,
		.colour = wm_paint_wanted(stdout),
		.sources = &request.sources};
	if (request.json)
		wm_superblock_view_json(&view, stdout);
	else
		wm_superblock_view_print(&view, stdout);
	return end(&arena, &request);
}
