/* waymark report: what the program did, in tables or JSON.
 *
 * Files of the same build are added; different objects are reported one after another, in the order
 * of the command line. Everything is read before the first line is printed, so that a bad file
 * among good ones leaves no half report.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/options.h"
#include "report/paint.h"
#include "report/profile_json.h"
#include "report/views.h"

struct request {
	struct wm_view_request view;
	bool json;
	const char *binary;
};

static size_t parse_top(const char *text)
{
	char *end;
	errno = 0;
	unsigned long long top = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || top == 0)
		wm_fatal_usage("report: --top=%s is not a number of rows (1 or more)", text);
	return (size_t)top;
}

static enum wm_view choose_view(const bool *chosen)
{
	enum wm_view view = WM_VIEW_OVERVIEW;
	for (enum wm_view candidate = WM_VIEW_FUNCTIONS; candidate <= WM_VIEW_LINES; candidate++) {
		if (chosen[candidate] && view != WM_VIEW_OVERVIEW)
			wm_fatal_usage(
				"report: choose one of --functions, --blocks, --edges, --lines");
		if (chosen[candidate])
			view = candidate;
	}
	return view;
}

static int parse(int argc, char **argv, struct request *request)
{
	bool view[WM_VIEW_LINES + 1] = {false};
	const char *top = "10";
	const struct wm_option options[] = {{"--functions", NULL, &view[WM_VIEW_FUNCTIONS]},
		{"--blocks", NULL, &view[WM_VIEW_BLOCKS]}, {"--edges", NULL, &view[WM_VIEW_EDGES]},
		{"--lines", NULL, &view[WM_VIEW_LINES]}, {"--top", &top, NULL},
		{"--json", NULL, &request->json}, {"--binary", &request->binary, NULL}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	request->view = (struct wm_view_request){.view = choose_view(view),
		.top = parse_top(top),
		.colour = wm_paint_wanted(stdout)};
	return left;
}

/* Reads the files; those of one build become one. Returns how many are left. */
static size_t read_files(
	struct wm_arena *arena, char **paths, size_t path_count, struct wm_file *files)
{
	size_t count = 0;
	for (size_t i = 0; i < path_count; i++) {
		struct wm_error error;
		struct wm_file *file = &files[count];
		wm_load_file(arena, paths[i], file);
		size_t same = 0;
		while (same < count && !wm_build_id_equal(&files[same].build_id, &file->build_id))
			same++;
		if (same == count)
			count++;
		else if (wm_file_add(&files[same], file, &error) < 0)
			wm_fatal("%s", error.text);
	}
	return count;
}

static void print_profiles(
	const struct wm_profile *profiles, size_t count, const struct request *request)
{
	for (size_t i = 0; i < count; i++) {
		if (request->json) {
			wm_profile_json_write(&profiles[i], stdout);
			continue;
		}
		if (i > 0)
			putchar('\n');
		wm_view_print(&profiles[i], &request->view, stdout);
	}
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
}

int wm_command_report(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct request request = {.json = false};
	int path_count = parse(argc, argv, &request);
	char **paths = argv + 1;
	char *newest;
	if (path_count == 0) {
		newest = wm_load_newest(&arena);
		paths = &newest;
		path_count = 1;
	}
	struct wm_file *files = wm_arena_alloc(&arena, (size_t)path_count, sizeof *files);
	size_t count = read_files(&arena, paths, (size_t)path_count, files);
	if (request.binary && count > 1)
		wm_fatal_usage(
			"report: --binary names one program, but the files are of %zu", count);
	struct wm_profile *profiles = wm_arena_alloc(&arena, count, sizeof *profiles);
	for (size_t i = 0; i < count; i++)
		wm_load_profile(&arena, &files[i], request.binary, &profiles[i]);
	print_profiles(profiles, count, &request);
	wm_arena_reset(&arena);
	return 0;
}
