/* waymark trace: what a program did, in the order in which it did it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/follow.h"
#include "cli/load_trace.h"
#include "cli/options.h"
#include "cli/step.h"
#include "cli/trace_index.h"
#include "cli/trace_timeline.h"
#include "report/paint.h"
#include "trace/packed_file.h"
#include "trace/view.h"

enum view {
	VIEW_WINDOW,
	VIEW_STEP,
	VIEW_EXPORT,
	VIEW_FOLLOW,
	VIEW_LINES,
	VIEW_BLOCKS,
	VIEW_BRANCHES,
	VIEW_MODEL,
	VIEW_CALLS,
	VIEW_COUNT,
	VIEWS
};

enum window { WINDOW_LAST, WINDOW_ALL, WINDOW_AROUND, WINDOW_BETWEEN };

struct request {
	struct wm_arena *arena;
	enum view view;
	enum window window; /* of the lines, if the view shows one */
	uint64_t last;
	uint64_t thread;		/* 0: all */
	struct wm_trace_place from, to; /* --around has one */
	bool found;
	bool stepped, exported;
	const char *binary;
	struct wm_loaded_trace loaded;
	struct wm_trace_index index;
	const char *format, *output; /* of an export */
	struct wm_trace_timeline *timeline;
};

static void print_counts(const struct wm_trace_view *view, const struct wm_trace_thread *thread,
	bool packed, struct wm_trace_walk *walk)
{
	const struct wm_trace_counts counts = wm_trace_count(walk);
	uint64_t bytes =
		(uint64_t)(thread->bits.count + thread->calls.count) * WM_TRACE_PIECE_BYTES;
	fprintf(view->out,
		"thread %" PRIu32 ": %" PRIu64 " blocks, %" PRIu64 " branches, %" PRIu64
		" calls, %" PRIu64 " handlers of signals, at most %" PRIu64 " frames; %" PRIu64
		" bits, %" PRIu64 " bytes of calls, %" PRIu64 " bytes of file%s; %s\n",
		thread->control.thread, counts.blocks, counts.branches, counts.calls,
		counts.handlers, counts.depth, wm_trace_walk_bits(walk), wm_trace_walk_calls(walk),
		bytes, packed ? " before packing" : "", wm_trace_end_text(counts.end));
}

/* What --around names in this thread; false if it did not run so often. */
static bool find_around(
	struct request *request, struct wm_trace_reading *reading, struct wm_trace_window *window)
{
	struct wm_trace_finder finder;
	uint64_t times;
	wm_trace_finder_start(request->arena, &request->loaded.functions, &request->from, &finder);
	uint64_t line = wm_trace_reading_next(reading, 0, &finder, &times);
	if (times && line == UINT64_MAX)
		wm_warn("%s:%" PRIu32 " ran %" PRIu64 " times, not %" PRIu64, request->from.file,
			request->from.line, times, request->from.time);
	if (line != UINT64_MAX)
		*window = wm_trace_window_around(reading, line, request->last);
	return line != UINT64_MAX;
}

static bool find_between(
	struct request *request, struct wm_trace_reading *reading, struct wm_trace_window *window)
{
	struct wm_trace_finder from, to;
	struct wm_trace_functions *functions = &request->loaded.functions;
	wm_trace_finder_start(request->arena, functions, &request->from, &from);
	wm_trace_finder_start(request->arena, functions, &request->to, &to);
	int found = wm_trace_window_between(reading, &from, &to, window);
	if (found == 1)
		wm_warn("%s:%" PRIu32 " did not run from there on", request->to.file,
			request->to.line);
	return found > 0;
}

/* The lines that the request is about, unless they did not run in this thread. */
static bool find_window(
	struct request *request, struct wm_trace_reading *reading, struct wm_trace_window *window)
{
	bool found = true;
	if (request->window == WINDOW_AROUND)
		found = find_around(request, reading, window);
	else if (request->window == WINDOW_BETWEEN)
		found = find_between(request, reading, window);
	else
		*window = wm_trace_window_last(
			reading, request->window == WINDOW_ALL ? UINT64_MAX : request->last);
	request->found |= found;
	return found;
}

static void step_through(struct request *request, const struct wm_trace_view *view,
	struct wm_trace_reading *reading, const struct wm_trace_window *window, uint32_t thread)
{
	char title[4096];
	if (!wm_trace_reading_count(reading))
		wm_fatal("%s: holds no line of the source: build with -g",
			request->loaded.file.path);
	snprintf(title, sizeof title, "thread %" PRIu32 " of %s",
		request->loaded.file.threads[thread].control.thread, request->loaded.file.path);
	struct wm_step step = {.arena = request->arena,
		.sources = view->sources,
		.functions = &request->loaded.functions,
		.reading = reading,
		.title = title,
		.end = wm_trace_end_text(request->index.threads[thread].end),
		.at = window->mark != UINT64_MAX	  ? window->mark
		      : request->window == WINDOW_BETWEEN ? window->first
							  : wm_trace_reading_count(reading) - 1};
	wm_step_run(&step);
}

static void show_window(struct request *request, const struct wm_trace_view *view, uint32_t thread)
{
	struct wm_trace_walk *walk;
	struct wm_trace_window window = {.mark = UINT64_MAX};
	const struct wm_trace_file *file = &request->loaded.file;
	struct wm_trace_reading *reading = wm_trace_index_read(&request->index, thread, &walk);
	bool found = find_window(request, reading, &window);
	if (found && request->view == VIEW_STEP) {
		step_through(request, view, reading, &window, thread);
		request->stepped = true;
	} else if (found && request->view == VIEW_EXPORT) {
		if (window.count)
			wm_trace_timeline_add(request->timeline,
				file->threads[thread].control.thread, reading, &window);
		request->exported |= window.count > 0;
	} else if (found) {
		if (file->thread_count > 1)
			fprintf(view->out, "%sthread %" PRIu32 "%s\n",
				wm_paint(view->colour, WM_PAINT_TITLE),
				file->threads[thread].control.thread,
				wm_paint(view->colour, WM_PAINT_PLAIN));
		wm_trace_view_window(view, reading, &window);
	}
	if (wm_trace_walk_reason(walk)[0])
		wm_warn("%s: %s; what is shown ends there", file->path, wm_trace_walk_reason(walk));
	wm_trace_reading_free(reading);
}

static void show_list(struct request *request, const struct wm_trace_view *view,
	const struct wm_trace_thread *thread)
{
	struct wm_trace_walk *walk =
		wm_load_trace_walk(request->arena, &request->loaded, thread, request->binary);
	switch (request->view) {
	case VIEW_LINES:
		wm_trace_view_lines(view, walk);
		break;
	case VIEW_BLOCKS:
		wm_trace_view_blocks(view, walk);
		break;
	case VIEW_BRANCHES:
		wm_trace_view_branches(view, walk);
		break;
	case VIEW_MODEL:
		wm_trace_view_model(view, walk, thread->control.thread);
		break;
	case VIEW_CALLS:
		wm_trace_view_calls(view, walk);
		break;
	default:
		print_counts(view, thread, request->loaded.file.packed, walk);
		break;
	}
	if (wm_trace_walk_reason(walk)[0])
		wm_warn("%s: %s; what is shown ends there", request->loaded.file.path,
			wm_trace_walk_reason(walk));
}

/* Why there was nothing to show. */
static void refuse_nothing(const struct request *request, bool shown)
{
	const char *path = request->loaded.file.path;
	if (!shown && request->thread)
		wm_fatal("%s: has no thread %" PRIu64, path, request->thread);
	if (!shown)
		wm_fatal("%s: no traced function ran", path);
	if (request->from.file && !request->found)
		wm_fatal("%s:%" PRIu32 " never ran, as far as %s tells", request->from.file,
			request->from.line, path);
}

static void write_export(const struct request *request)
{
	if (!request->exported)
		wm_fatal("%s: holds no line of the source: build with -g",
			request->loaded.file.path);
	wm_trace_timeline_write(request->timeline, &request->loaded.file, request->format,
		request->output ? request->output : "-");
}

static int show_all(struct request *request)
{
	const struct wm_trace_file *file = &request->loaded.file;
	struct wm_sources sources = wm_sources_of(&request->loaded.object);
	char prefix[32];
	bool several = file->thread_count > 1 && !request->thread, shown = false;
	bool shows_window = request->view <= VIEW_EXPORT;
	const struct wm_trace_view view = {.arena = request->arena,
		.sources = &sources,
		.out = stdout,
		.prefix = several ? prefix : "",
		.colour = wm_paint_wanted(stdout)};
	if (request->view == VIEW_FOLLOW) {
		wm_follow(request->arena, &request->loaded, &view, request->thread, request->last);
		wm_sources_free(&sources);
		return 0;
	}
	if (shows_window)
		wm_trace_index_start(
			request->arena, &request->loaded, request->binary, &request->index);
	request->timeline = wm_trace_timeline_start(request->arena, &request->loaded.functions);
	for (uint32_t i = 0; i < file->thread_count && !request->stepped; i++) {
		const struct wm_trace_thread *thread = &file->threads[i];
		if (request->thread && request->thread != thread->control.thread)
			continue;
		snprintf(prefix, sizeof prefix, "%" PRIu32 "\t", thread->control.thread);
		if (shows_window)
			show_window(request, &view, i);
		else
			show_list(request, &view, thread);
		shown = true;
	}
	refuse_nothing(request, shown);
	if (shows_window)
		wm_trace_index_keep(&request->index);
	if (request->view == VIEW_EXPORT)
		write_export(request);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the trace: %s", strerror(errno));
	wm_sources_free(&sources);
	return 0;
}

/* FILE:LINE, or FILE:LINE#TIME. */
static struct wm_trace_place parse_place(
	struct wm_arena *arena, const char *option, const char *text)
{
	char *file = wm_arena_copy_text(arena, text), *end;
	char *colon = strrchr(file, ':'), *time = strchr(file, '#');
	struct wm_trace_place place = {.file = file, .time = 1};
	if (!colon || colon == file)
		wm_fatal_usage("trace: %s='%s' is no line: give FILE:LINE", option, text);
	*colon = 0;
	if (time) {
		*time = 0;
		place.time = wm_options_number("trace", option, time + 1);
	}
	unsigned long line = strtoul(colon + 1, &end, 10);
	if (colon[1] < '0' || colon[1] > '9' || *end || line == 0 || line > UINT32_MAX)
		wm_fatal_usage("trace: %s='%s' is no line: give FILE:LINE", option, text);
	place.line = (uint32_t)line;
	return place;
}

static void choose_places(struct request *request, const char *around, const char *between)
{
	if (around && between)
		wm_fatal_usage("trace: give --around or --between, not both");
	if (around) {
		request->from = parse_place(request->arena, "--around", around);
		request->window = WINDOW_AROUND;
	}
	if (between) {
		char *from = wm_arena_copy_text(request->arena, between),
		     *comma = strchr(from, ',');
		if (!comma)
			wm_fatal_usage("trace: --between='%s': give FILE:LINE,FILE:LINE", between);
		*comma = 0;
		request->from = parse_place(request->arena, "--between", from);
		request->to = parse_place(request->arena, "--between", comma + 1);
		request->window = WINDOW_BETWEEN;
	}
}

static void choose_view(const bool *flags, struct request *request)
{
	int chosen = 0;
	for (int i = VIEW_STEP; i < VIEWS; i++)
		if (flags[i]) {
			request->view = (enum view)i;
			chosen++;
		}
	if (chosen > 1)
		wm_fatal_usage("trace: give one of --step, --follow, --lines, --blocks, "
			       "--branches, --hpp, --calls, --count");
}

/* --last without a number is an option of its own. */
static void take_last(int argc, char **argv, struct request *request)
{
	static const char option[] = "--last=";
	request->last = 20;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--last") != 0 && strncmp(argv[i], option, sizeof option - 1))
			continue;
		if (argv[i][sizeof option - 2])
			request->last =
				wm_options_number("trace", "--last", argv[i] + sizeof option - 1);
		argv[i] = (char *)"--last";
	}
}

static int pack(const char *path)
{
	struct wm_packed_sizes sizes;
	struct wm_error error;
	if (wm_trace_pack(path, &sizes, &error))
		wm_fatal("%s", error.text);
	printf("%s: %" PRIu64 " bytes, %" PRIu64 " before\n", path, sizes.after, sizes.before);
	return 0;
}

/* Without a window all of the trace is exported. */
static void choose_export(struct request *request, bool last)
{
	if (strcmp(request->format, "chrome") != 0 && strcmp(request->format, "firefox") != 0)
		wm_fatal_usage(
			"trace: --export='%s' is unknown: use chrome or firefox", request->format);
	if (request->view != VIEW_WINDOW)
		wm_fatal_usage("trace: --export writes a window: leave out the other option");
	request->view = VIEW_EXPORT;
	request->window = last ? WINDOW_LAST : WINDOW_ALL;
}

/* Lists are of whole threads. */
static void check(const struct request *request, bool last)
{
	bool shows_window = request->view <= VIEW_EXPORT;
	if (request->output && request->view != VIEW_EXPORT)
		wm_fatal_usage("trace: -o goes with --export only");
	if (request->window > WINDOW_ALL && !shows_window)
		wm_fatal_usage("trace: --around and --between show lines of their own: leave out "
			       "the other option");
	if (last && ((request->view > VIEW_FOLLOW || request->view == VIEW_STEP) ||
			    request->window == WINDOW_BETWEEN))
		wm_fatal_usage("trace: --last shows lines of its own: leave out the other option");
}

int wm_command_trace(int argc, char **argv)
{
	struct wm_arena arena = {0};
	bool flags[VIEWS] = {false}, last = false, packs = false;
	const char *thread = NULL, *around = NULL, *between = NULL;
	struct request request = {.arena = &arena};
	const struct wm_option options[] = {{"--step", NULL, &flags[VIEW_STEP]},
		{"--follow", NULL, &flags[VIEW_FOLLOW]}, {"--lines", NULL, &flags[VIEW_LINES]},
		{"--blocks", NULL, &flags[VIEW_BLOCKS]},
		{"--branches", NULL, &flags[VIEW_BRANCHES]}, {"--hpp", NULL, &flags[VIEW_MODEL]},
		{"--calls", NULL, &flags[VIEW_CALLS]}, {"--count", NULL, &flags[VIEW_COUNT]},
		{"--last", NULL, &last}, {"--pack", NULL, &packs},
		{"--export", &request.format, NULL}, {"-o", &request.output, NULL},
		{"--around", &around, NULL}, {"--between", &between, NULL},
		{"--thread", &thread, NULL}, {"--binary", &request.binary, NULL}};
	take_last(argc, argv, &request);
	int words =
		wm_options_parse("trace", argc, argv, options, sizeof options / sizeof *options);
	choose_view(flags, &request);
	if (request.format)
		choose_export(&request, last);
	choose_places(&request, around, between);
	check(&request, last);
	if (thread)
		request.thread = wm_options_number("trace", "--thread", thread);
	const char *path = wm_load_trace_find(&arena, "trace", argv + 1, words);
	if (packs)
		return pack(path);
	wm_load_trace(&arena, path, request.binary, &request.loaded);
	if (request.loaded.file.damage)
		wm_warn("%s: %s; what is shown may end early", request.loaded.file.path,
			request.loaded.file.damage);
	int status = show_all(&request);
	wm_arena_reset(&arena);
	return status;
}
