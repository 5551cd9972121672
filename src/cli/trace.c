/* waymark trace: what a program did, in the order in which it did it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/load_trace.h"
#include "cli/options.h"
#include "report/paint.h"
#include "trace/view.h"

enum view {
	VIEW_LAST,
	VIEW_LINES,
	VIEW_BLOCKS,
	VIEW_BRANCHES,
	VIEW_CALLS,
	VIEW_COUNT,
	VIEW_AROUND,
	VIEW_BETWEEN
};

struct request {
	struct wm_arena *arena;
	enum view view;
	uint64_t last;
	uint64_t thread;		/* 0: all */
	struct wm_trace_place from, to; /* --around has one */
	bool found;
	const char *binary;
};

static void print_counts(const struct wm_trace_view *view, const struct wm_trace_thread *thread,
	struct wm_trace_walk *walk)
{
	const struct wm_trace_counts counts = wm_trace_count(walk);
	uint64_t bytes =
		(uint64_t)(thread->bits.count + thread->calls.count) * WM_TRACE_PIECE_BYTES;
	fprintf(view->out,
		"thread %" PRIu32 ": %" PRIu64 " blocks, %" PRIu64 " branches, %" PRIu64
		" calls, %" PRIu64 " handlers of signals, at most %" PRIu64 " frames; %" PRIu64
		" bits, %" PRIu64 " bytes of calls, %" PRIu64 " bytes of file; %s\n",
		thread->control.thread, counts.blocks, counts.branches, counts.calls,
		counts.handlers, counts.depth, wm_trace_walk_bits(walk), wm_trace_walk_calls(walk),
		bytes, wm_trace_end_text(counts.end));
}

static void show_around(
	struct request *request, const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	uint64_t times = wm_trace_view_around(view, walk, &request->from, request->last);
	request->found |= times >= request->from.time;
	if (times && times < request->from.time)
		wm_warn("%s:%" PRIu32 " ran %" PRIu64 " times, not %" PRIu64, request->from.file,
			request->from.line, times, request->from.time);
}

static void show_between(
	struct request *request, const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	int found = wm_trace_view_between(view, walk, &request->from, &request->to);
	request->found |= found > 0;
	if (found == 1)
		wm_warn("%s:%" PRIu32 " did not run from there on", request->to.file,
			request->to.line);
}

static void show(struct request *request, const struct wm_trace_view *view,
	struct wm_loaded_trace *loaded, const struct wm_trace_thread *thread)
{
	struct wm_trace_walk *walk =
		wm_load_trace_walk(request->arena, loaded, thread, request->binary);
	switch (request->view) {
	case VIEW_LAST:
		if (loaded->file.thread_count > 1)
			fprintf(view->out, "%sthread %" PRIu32 "%s\n",
				wm_paint(view->colour, WM_PAINT_TITLE), thread->control.thread,
				wm_paint(view->colour, WM_PAINT_PLAIN));
		wm_trace_view_last(view, walk, request->last);
		break;
	case VIEW_LINES:
		wm_trace_view_lines(view, walk);
		break;
	case VIEW_BLOCKS:
		wm_trace_view_blocks(view, walk);
		break;
	case VIEW_BRANCHES:
		wm_trace_view_branches(view, walk);
		break;
	case VIEW_CALLS:
		wm_trace_view_calls(view, walk);
		break;
	case VIEW_COUNT:
		print_counts(view, thread, walk);
		break;
	case VIEW_AROUND:
		show_around(request, view, walk);
		break;
	case VIEW_BETWEEN:
		show_between(request, view, walk);
		break;
	}
	if (wm_trace_walk_reason(walk)[0])
		wm_warn("%s: %s; what is shown ends there", loaded->file.path,
			wm_trace_walk_reason(walk));
}

static int show_all(struct request *request, struct wm_loaded_trace *loaded)
{
	struct wm_sources sources = wm_sources_of(&loaded->object);
	char prefix[32];
	bool several = loaded->file.thread_count > 1 && !request->thread, shown = false;
	struct wm_trace_view view = {.arena = request->arena,
		.sources = &sources,
		.out = stdout,
		.prefix = several ? prefix : "",
		.colour = wm_paint_wanted(stdout)};
	for (uint32_t i = 0; i < loaded->file.thread_count; i++) {
		const struct wm_trace_thread *thread = &loaded->file.threads[i];
		if (request->thread && request->thread != thread->control.thread)
			continue;
		snprintf(prefix, sizeof prefix, "%" PRIu32 "\t", thread->control.thread);
		show(request, &view, loaded, thread);
		shown = true;
	}
	if (!shown && request->thread)
		wm_fatal("%s: has no thread %" PRIu64, loaded->file.path, request->thread);
	if (!shown)
		wm_fatal("%s: no traced function ran", loaded->file.path);
	if (request->from.file && !request->found)
		wm_fatal("%s:%" PRIu32 " never ran, as far as %s tells", request->from.file,
			request->from.line, loaded->file.path);
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
		request->view = VIEW_AROUND;
	}
	if (between) {
		char *from = wm_arena_copy_text(request->arena, between),
		     *comma = strchr(from, ',');
		if (!comma)
			wm_fatal_usage("trace: --between='%s': give FILE:LINE,FILE:LINE", between);
		*comma = 0;
		request->from = parse_place(request->arena, "--between", from);
		request->to = parse_place(request->arena, "--between", comma + 1);
		request->view = VIEW_BETWEEN;
	}
}

static void choose_view(const bool *flags, struct request *request)
{
	int chosen = 0;
	for (int i = VIEW_LINES; i <= VIEW_COUNT; i++)
		if (flags[i]) {
			request->view = (enum view)i;
			chosen++;
		}
	if (chosen > 1)
		wm_fatal_usage(
			"trace: give one of --lines, --blocks, --branches, --calls, --count");
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

int wm_command_trace(int argc, char **argv)
{
	struct wm_arena arena = {0};
	bool flags[VIEW_COUNT + 1] = {false}, last = false;
	const char *thread = NULL, *around = NULL, *between = NULL;
	struct request request = {.arena = &arena};
	struct wm_loaded_trace loaded;
	const struct wm_option options[] = {{"--lines", NULL, &flags[VIEW_LINES]},
		{"--blocks", NULL, &flags[VIEW_BLOCKS]},
		{"--branches", NULL, &flags[VIEW_BRANCHES]}, {"--calls", NULL, &flags[VIEW_CALLS]},
		{"--count", NULL, &flags[VIEW_COUNT]}, {"--last", NULL, &last},
		{"--around", &around, NULL}, {"--between", &between, NULL},
		{"--thread", &thread, NULL}, {"--binary", &request.binary, NULL}};
	take_last(argc, argv, &request);
	int words =
		wm_options_parse("trace", argc, argv, options, sizeof options / sizeof *options);
	choose_view(flags, &request);
	if ((around || between) && request.view != VIEW_LAST)
		wm_fatal_usage("trace: --around and --between show lines of their own: leave out "
			       "the other option");
	choose_places(&request, around, between);
	if (last && request.view != VIEW_LAST && request.view != VIEW_AROUND)
		wm_fatal_usage("trace: --last shows lines of its own: leave out the other option");
	if (thread)
		request.thread = wm_options_number("trace", "--thread", thread);
	wm_load_trace(&arena, wm_load_trace_find(&arena, "trace", argv + 1, words), request.binary,
		&loaded);
	if (loaded.file.damage)
		wm_warn("%s: %s; what is shown may end early", loaded.file.path,
			loaded.file.damage);
	int status = show_all(&request, &loaded);
	wm_arena_reset(&arena);
	return status;
}
