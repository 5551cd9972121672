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
#include <time.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/in_contexts.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/select_paths.h"
#include "cli/stale.h"
#include "cli/text_file.h"
#include "profile/hot_paths.h"
#include "profile/perf_script.h"
#include "profile/time_samples.h"
#include "profile/tally.h"
#include "report/own_sources.h"
#include "report/paint.h"
#include "report/profile_json.h"
#include "report/views.h"

/* Of a story each. */
enum { OVERVIEW_PATHS = 5 };

struct request {
	struct wm_view_request view;
	bool json;
	size_t json_top; /* 0: everything */
	bool full_names;
	bool inlined; /* nothing is folded */
	const char *binary;
	const char *object;	/* pattern, or NULL for all */
	const char *select;	/* PATHS, or NULL for all */
	const char *callers;	/* FUNCTION, or NULL */
	const char *context;	/* CONTEXT, or NULL for all */
	const char *time;	/* what perf script printed, or NULL */
	size_t *paths_that_ran; /* by profile, before a selection */
};

static enum wm_view choose_view(const bool *chosen)
{
	enum wm_view view = WM_VIEW_OVERVIEW;
	for (enum wm_view candidate = WM_VIEW_PATHS; candidate <= WM_VIEW_TIME; candidate++) {
		if (chosen[candidate] && view != WM_VIEW_OVERVIEW)
			wm_fatal_usage(
				"report: choose one of --paths, --functions, --blocks, --edges, "
				"--lines, --calls, --threads, --time");
		if (chosen[candidate])
			view = candidate;
	}
	return view;
}

static int parse(int argc, char **argv, struct request *request)
{
	bool view[WM_VIEW_TIME + 1] = {false};
	const char *top = NULL, *names = "short";
	bool verbose = false;
	const struct wm_option options[] = {{"--paths", NULL, &view[WM_VIEW_PATHS]},
		{"--functions", NULL, &view[WM_VIEW_FUNCTIONS]},
		{"--blocks", NULL, &view[WM_VIEW_BLOCKS]}, {"--edges", NULL, &view[WM_VIEW_EDGES]},
		{"--lines", NULL, &view[WM_VIEW_LINES]}, {"--calls", NULL, &view[WM_VIEW_CALLS]},
		{"--threads", NULL, &view[WM_VIEW_THREADS]}, {"--top", &top, NULL},
		{"--json", NULL, &request->json}, {"--binary", &request->binary, NULL},
		{"--object", &request->object, NULL}, {"--select", &request->select, NULL},
		{"--names", &names, NULL}, {"--callers", &request->callers, NULL},
		{"--context", &request->context, NULL}, {"--time", &request->time, NULL},
		{"--verbose", NULL, &verbose}, {"--inlined", NULL, &request->inlined}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	view[WM_VIEW_CALLS] |= request->callers != NULL;
	view[WM_VIEW_TIME] |= request->time != NULL;
	request->full_names = wm_options_full_names("report", names);
	request->view = (struct wm_view_request){.view = choose_view(view),
		.top = wm_options_number("report", "--top", top ? top : "10"),
		.verbose = verbose,
		.colour = wm_paint_wanted(stdout),
		.now = time(NULL)};
	bool overview = request->view.view == WM_VIEW_OVERVIEW;
	request->view.path_top = !top && overview ? OVERVIEW_PATHS : request->view.top;
	request->json_top = top ? request->view.top : 0;
	return left;
}

static size_t *count_paths(struct wm_arena *arena, const struct wm_profile *profiles, size_t count)
{
	size_t *paths = wm_arena_alloc(arena, count, sizeof *paths);
	for (size_t i = 0; i < count; i++) {
		struct wm_hot_paths hot;
		wm_hot_paths_rank(arena, profiles[i].functions, profiles[i].function_count, &hot);
		paths[i] = hot.count;
	}
	return paths;
}

/* The threads of several files are not those of one run. */
static const struct wm_threads *read_threads(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_threads *threads)
{
	struct wm_error error;
	if (profile->file.file_count > 1)
		wm_fatal_usage("report: --threads is of one file: name one of those of %s",
			profile->object.path);
	if (wm_threads_read(arena, profile, threads, &error) < 0)
		wm_fatal("%s", error.text);
	return threads;
}

/* One recording is of one program. */
static const struct wm_time *lay_time(struct wm_arena *arena, const struct request *request,
	const struct wm_profile *profiles, size_t count, struct wm_time *time)
{
	struct wm_text_file text = wm_text_file_read("report", request->time);
	struct wm_perf_samples samples;
	struct wm_error error;
	if (count > 1)
		wm_fatal_usage("report: --time is of one program: name the profile of the one that "
			       "was recorded");
	if (wm_perf_script_read(arena, request->time, text.bytes, text.count, &samples, &error) < 0)
		wm_fatal("report: %s", error.text);
	if (wm_time_lay(arena, request->time, &samples, &profiles[0], time, &error) < 0)
		wm_fatal("report: %s", error.text);
	free(text.bytes); /* nothing points into it any more */
	return time;
}

static void print_profiles(struct wm_arena *arena, const struct wm_profile *profiles, size_t count,
	const struct request *request, struct wm_sources *sources)
{
	for (size_t i = 0; i < count; i++) {
		struct wm_view_request view = request->view;
		struct wm_threads threads;
		if (request->view.view == WM_VIEW_THREADS)
			view.threads = read_threads(arena, &profiles[i], &threads);
		sources[i] = wm_sources_of(&profiles[i].object);
		if (request->json) {
			wm_profile_json_write(
				&profiles[i], view.threads, view.time, request->json_top, stdout);
			continue;
		}
		if (i > 0)
			putchar('\n');
		view.chosen = request->select != NULL;
		view.paths_that_ran = request->paths_that_ran[i];
		view.names = wm_short_names_make(arena, &profiles[i], request->full_names);
		view.root = request->inlined ? "" : wm_own_sources_root(arena, &profiles[i]);
		view.sources = &sources[i];
		wm_view_print(&profiles[i], &view, stdout);
	}
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
}

/* The argument that is this flag, or this option with its value; or 0. */
static int find_flag(int argc, char **argv, const char *flag)
{
	size_t bytes = strlen(flag);
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], flag, bytes) == 0 &&
			(argv[i][bytes] == 0 || argv[i][bytes] == '='))
			return i;
	return 0;
}

/* `report --html` is `html`. */
static bool take_html(int *argc, char **argv)
{
	int at = find_flag(*argc, argv, "--html");
	if (at == 0)
		return false;
	memmove(&argv[at], &argv[at + 1], (size_t)(*argc - at) * sizeof *argv);
	(*argc)--;
	return true;
}

int wm_command_report(int argc, char **argv)
{
	if (take_html(&argc, argv))
		return wm_command_html(argc, argv);
	if (find_flag(argc, argv, "--correlated"))
		return wm_command_correlated(argc, argv);
	if (find_flag(argc, argv, "--metric"))
		return wm_command_costs(argc, argv);
	if (find_flag(argc, argv, "--superblocks"))
		return wm_command_superblocks(argc, argv);
	struct wm_arena arena = {0};
	struct request request = {.json = false};
	size_t count = (size_t)parse(argc, argv, &request);
	struct wm_profile *profiles =
		wm_load_profiles(&arena, "report", argv + 1, request.binary, &count);
	for (size_t i = 0; i < count; i++) {
		/* JSON says of each function what is known. */
		if (!request.json || wm_tally_is_sums(&profiles[i]))
			wm_load_refuse_uncounted("report", &profiles[i]);
		wm_load_choose_object(&arena, "report", &profiles[i], request.object);
		if (request.context)
			wm_in_contexts(&arena, "report", request.context, &profiles[i]);
	}
	if (request.context && (request.time || request.view.view == WM_VIEW_THREADS))
		wm_fatal_usage("report: %s is of all contexts, without --context",
			request.time ? "--time" : "--threads");
	if (request.time && request.select)
		wm_fatal_usage("report: --time has no paths to --select: samples tell functions "
			       "and lines only");
	request.paths_that_ran = count_paths(&arena, profiles, count);
	if (request.select)
		wm_select_paths(&arena, "report", request.select, profiles, count);
	if (request.callers)
		request.view.callees = wm_find_callees(&arena, "report: --callers", profiles, count,
			request.callers, &request.view.callee_count);
	struct wm_time time;
	if (request.time)
		request.view.time = lay_time(&arena, &request, profiles, count, &time);
	struct wm_sources *sources = wm_arena_alloc(&arena, count, sizeof *sources);
	print_profiles(&arena, profiles, count, &request, sources);
	for (size_t i = 0; i < count; i++) {
		wm_stale_warn("report", &sources[i]);
		wm_sources_free(&sources[i]);
	}
	wm_arena_reset(&arena);
	return 0;
}
