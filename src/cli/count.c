/* waymark count: what a run cost, like `perf stat` but exact. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/counted_run.h"
#include "cli/event_words.h"
#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/run_to_run.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "report/count_view.h"
#include "report/paint.h"

struct request {
	struct wm_arena *arena;
	struct wm_event_kinds kinds;
	struct wm_count_request view;
	const char *save;    /* or NULL */
	const char *program; /* or NULL */
	const char *object;  /* or NULL */
	const char *binary;  /* or NULL */
	uint64_t repeat;
	bool json;
	bool events_given;
	bool by_given;
	char **words; /* the command; or NULL */
	FILE *out;
};

static enum wm_count_by parse_by(const char *word)
{
	static const char *const words[] = {[WM_COUNT_BY_PROGRAM] = "program",
		[WM_COUNT_BY_FILE] = "file",
		[WM_COUNT_BY_FUNCTION] = "function",
		[WM_COUNT_BY_LINE] = "line",
		[WM_COUNT_BY_PATH] = "path",
		[WM_COUNT_BY_CALL] = "call"};
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(word, words[i]) == 0)
			return (enum wm_count_by)i;
		wm_nearest_offer(&nearest, words[i]);
	}
	wm_fatal_usage("count: --by='%s' is unknown: use %s", word,
		nearest.best ? nearest.best : "function, file, line, path, call or program");
}

static size_t parse(int argc, char **argv, struct request *request)
{
	const char *events = NULL, *by = NULL, *top = "10", *repeat = NULL;
	const struct wm_option options[] = {{"--events", &events, NULL}, {"--by", &by, NULL},
		{"--top", &top, NULL}, {"--repeat", &repeat, NULL},
		{"--save", &request->save, NULL}, {"--program", &request->program, NULL},
		{"--object", &request->object, NULL}, {"--binary", &request->binary, NULL},
		{"--json", NULL, &request->json}};
	request->words = wm_counted_run_take(&argc, argv);
	int left = wm_options_parse("count", argc, argv, options, sizeof options / sizeof *options);
	request->kinds = wm_event_words_parse(request->arena, "count", events);
	request->repeat = repeat ? wm_options_number("count", "--repeat", repeat) : 1;
	request->out = request->words && !request->json ? stderr : stdout;
	request->events_given = events != NULL;
	request->by_given = by != NULL;
	request->view = (struct wm_count_request){.by = parse_by(by ? by : "function"),
		.top = wm_options_number("count", "--top", top),
		.colour = wm_paint_wanted(request->out)};
	if (repeat && !request->words)
		wm_fatal_usage("count: --repeat runs a command: name it behind --");
	if (request->words && left > 0)
		wm_fatal_usage("count: '%s' is one word too many: a command's profile is its own",
			argv[1]);
	return (size_t)left;
}

static void save(const struct request *request, const struct wm_snapshot *snapshot)
{
	struct wm_whole_file file;
	wm_whole_file_begin(&file, request->save);
	wm_snapshot_write(snapshot, file.stream);
	wm_whole_file_end(&file);
}

/* What the build sums; kinds that were asked for must be among them. */
static struct wm_event_kinds kinds_of_sums(
	const struct request *request, const struct wm_profile *profile)
{
	struct wm_event_kinds has = wm_tally_kinds_of_sums(request->arena, profile);
	char list[512] = "";
	for (size_t k = 0; k < has.count; k++)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
			has.kinds[k].name);
	if (request->by_given && request->view.by != WM_COUNT_BY_CALL &&
		request->view.by != WM_COUNT_BY_PROGRAM)
		wm_fatal("count: the build sums events of the whole program only: --by=program");
	if (!request->events_given)
		return has;
	const struct wm_interval *sums = wm_tally_sums(request->arena, profile, &request->kinds);
	for (size_t k = 0; k < request->kinds.count; k++)
		if (sums[k].low == WM_NO_LOW)
			wm_fatal("count: this build does not sum %s, but %s",
				request->kinds.kinds[k].name, list);
	return request->kinds;
}

/* One program. Returns the first exit status of further runs that is not 0. */
static int show(const struct request *request, struct wm_profile *profile)
{
	struct wm_arena *arena = request->arena;
	struct wm_count_request view = request->view;
	struct wm_snapshot snapshot;
	struct wm_run_to_run runs = {.runs = 0};
	wm_load_choose_object(arena, "count", profile, request->object);
	struct wm_sources sources = wm_sources_of(&profile->object);
	bool paths = request->save || request->json || view.by == WM_COUNT_BY_PATH;
	struct wm_event_kinds kinds = request->kinds;
	if (view.by == WM_COUNT_BY_CALL && !wm_inclusive_is_counted(profile))
		wm_fatal("count: %s does not sum what calls do: build it with waymark cc "
			 "--profile=events --inclusive",
			profile->object.path);
	if (wm_tally_is_sums(profile))
		kinds = kinds_of_sums(request, profile);
	else
		wm_load_refuse_uncounted("count", profile);
	if (!request->by_given && wm_inclusive_is_counted(profile))
		view.by = WM_COUNT_BY_CALL;
	view.names = wm_short_names_make(arena, profile, false);
	view.sources = &sources;
	wm_snapshot_make(arena, profile, &kinds, &sources, paths, &snapshot);
	if (request->repeat > 1)
		wm_run_to_run(arena, "count", request->words, request->program, request->repeat,
			&snapshot, &runs);
	if (request->save)
		save(request, &snapshot);
	if (request->json)
		wm_snapshot_write(&snapshot, request->out);
	else
		wm_count_view_print(profile, &snapshot, &view, request->out);
	if (request->repeat > 1 && !request->json)
		wm_run_to_run_print(&runs, &snapshot, view.top, request->out);
	if (fflush(request->out) != 0)
		wm_fatal("cannot write the counts: %s", strerror(errno));
	wm_stale_warn("count", &sources);
	wm_sources_free(&sources);
	return runs.status;
}

int wm_command_count_events(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct request request = {.arena = &arena};
	struct wm_counted_run run = {.status = 0};
	size_t left = parse(argc, argv, &request);
	if (request.words) {
		run = wm_counted_run(&arena, "count", request.words, false);
	} else {
		run.count = left;
		run.profiles =
			wm_load_profiles(&arena, "count", argv + 1, request.binary, &run.count);
	}
	bool one = request.program || request.save || request.json || request.repeat > 1;
	struct wm_profile *only =
		one ? wm_counted_run_choose("count", &run, request.program) : run.profiles;
	for (size_t i = 0; i < (one ? 1 : run.count); i++) {
		if (i > 0)
			fputc('\n', request.out);
		int status = show(&request, &only[i]);
		run.status = run.status ? run.status : status;
	}
	wm_arena_reset(&arena);
	return run.status;
}
