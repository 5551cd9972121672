/* waymark hpp: the hardware path profiler as a model, on branches of any program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/counted_run.h"
#include "cli/hpp_load.h"
#include "cli/hpp_run.h"
#include "cli/hpp_study.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/whole_file.h"
#include "report/hpp_study_view.h"
#include "report/hpp_view.h"
#include "report/paint.h"

struct request {
	struct wm_hpp_settings settings;
	const char *read, *path, *compare, *to, *children, *sweep, *export, *to_file, *completion;
	bool figures, phases, superblocks;
	double share; /* completion of superblocks */
	enum wm_hpp_study_kind study;
	size_t top;
	bool json;
	char **words; /* the command, or NULL */
	FILE *out;
};

/* Each option of the model with the function that takes its value. */
struct setter {
	const char *text;
	int (*set)(struct wm_hpp_settings *, const char *, struct wm_error *);
};

static int set_table(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	return wm_hpp_set_table(&settings->profiler.table, text, error);
}

static void apply(struct wm_hpp_settings *settings, const struct setter *setters, size_t count)
{
	struct wm_error error;
	for (size_t i = 0; i < count; i++)
		if (setters[i].text && setters[i].set(settings, setters[i].text, &error))
			wm_fatal_usage("hpp: %s", error.text);
}

/* The word of an option, among those of a table. */
static enum wm_hpp_study_kind choose(const char *option, const char *word)
{
	static const struct {
		const char *option, *word;
		enum wm_hpp_study_kind kind;
	} words[] = {{"--sweep", "plackett-burman", WM_HPP_PLACKETT_BURMAN},
		{"--sweep", "factorial", WM_HPP_FACTORIAL},
		{"--export", "bolt", WM_HPP_EXPORT_BOLT},
		{"--export", "simpoint", WM_HPP_EXPORT_SIMPOINT},
		{"--export", "simpoint-blocks", WM_HPP_EXPORT_SIMPOINT_BLOCKS},
		{"--export", "branches", WM_HPP_EXPORT_BRANCHES},
		{"--export", "paths", WM_HPP_EXPORT_PATHS},
		{"--export", "callgrind", WM_HPP_NO_STUDY},
		{"--export", "collapsed", WM_HPP_NO_STUDY}};
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(words[i].option, option) != 0)
			continue;
		if (strcmp(words[i].word, word) == 0)
			return words[i].kind;
		wm_nearest_offer(&nearest, words[i].word);
	}
	wm_fatal_usage("hpp: %s='%s' is unknown: use %s", option, word,
		nearest.best		     ? nearest.best
		: strcmp(option, "--sweep") != 0 ? "bolt, simpoint, simpoint-blocks, branches, paths, "
					      "callgrind or collapsed"
					    : "plackett-burman or factorial");
}

static void choose_study(struct request *request)
{
	int chosen = request->figures + request->phases + request->superblocks +
		     !!request->sweep + !!request->export + !!request->path + !!request->compare;
	char *end = NULL;
	if (chosen > 1)
		wm_fatal_usage("hpp: choose one of --path, --compare, --figures, --sweep, --phases, "
			       "--superblocks and --export");
	if (request->to_file && !request->export)
		wm_fatal_usage("hpp: --to-file is for --export");
	if (request->figures)
		request->study = WM_HPP_FIGURES;
	if (request->phases)
		request->study = WM_HPP_PHASES;
	if (request->sweep)
		request->study = choose("--sweep", request->sweep);
	if (request->export)
		request->study = choose("--export", request->export);
	request->share = request->completion ? strtod(request->completion, &end) / 100 : 0.7;
	if (request->completion && ((*end && strcmp(end, "%") != 0) || request->share <= 0 ||
					   request->share > 1))
		wm_fatal_usage("hpp: --completion='%s' is no share such as 70%%",
			request->completion);
}

static void parse(int argc, char **argv, struct request *request)
{
	const char *top = "10";
	struct setter setters[] = {{NULL, wm_hpp_set_paths}, {NULL, wm_hpp_set_control},
		{NULL, wm_hpp_set_event}, {NULL, set_table}, {NULL, wm_hpp_set_stack},
		{NULL, wm_hpp_set_overflow}, {NULL, wm_hpp_set_length}, {NULL, wm_hpp_set_counter},
		{NULL, wm_hpp_set_backward}, {NULL, wm_hpp_set_limit},
		{NULL, wm_hpp_set_model}, {NULL, wm_hpp_set_power},
		{NULL, wm_hpp_set_window}};
	const struct wm_option options[] = {{"--paths", &setters[0].text, NULL},
		{"--ppcr", &setters[1].text, NULL}, {"--event", &setters[2].text, NULL},
		{"--table", &setters[3].text, NULL}, {"--stack", &setters[4].text, NULL},
		{"--overflow", &setters[5].text, NULL}, {"--length", &setters[6].text, NULL},
		{"--counter-bits", &setters[7].text, NULL}, {"--backward", &setters[8].text, NULL},
		{"--limit", &setters[9].text, NULL}, {"--model", &setters[10].text, NULL},
		{"--power", &setters[11].text, NULL}, {"-o", &request->to, NULL},
		{"--window", &setters[12].text, NULL}, {"--figures", NULL, &request->figures},
		{"--sweep", &request->sweep, NULL}, {"--phases", NULL, &request->phases},
		{"--superblocks", NULL, &request->superblocks},
		{"--completion", &request->completion, NULL},
		{"--export", &request->export, NULL}, {"--to-file", &request->to_file, NULL},
		{"--children", &request->children, NULL}, {"--read", &request->read, NULL},
		{"--path", &request->path, NULL}, {"--compare", &request->compare, NULL},
		{"--top", &top, NULL}, {"--json", NULL, &request->json}};
	request->words = wm_counted_run_take(&argc, argv);
	int left = wm_options_parse("hpp", argc, argv, options, sizeof options / sizeof *options);
	if (left)
		wm_fatal_usage("hpp: '%s' is one word too many", argv[1]);
	if (!request->read == !request->words)
		wm_fatal_usage("hpp: of what? waymark hpp COMMAND, or waymark hpp --read=FILE");
	if (request->read && (request->to || request->children))
		wm_fatal_usage("hpp: -o and --children are for commands that are run");
	request->out = request->words && !request->json ? stderr : stdout;
	choose_study(request);
	apply(&request->settings, setters, sizeof setters / sizeof *setters);
	request->top = wm_options_number("hpp", "--top", top);
}

static bool wants_children(const struct request *request)
{
	const char *word = request->children;
	bool yes = word && strcmp(word, "yes") == 0;
	if (word && !yes && strcmp(word, "no") != 0)
		wm_fatal_usage("hpp: --children='%s' is neither yes nor no", word);
	return yes;
}

static struct wm_hpp_view view_of(
	struct wm_arena *arena, const struct request *request, const struct wm_hpp_profile *profile)
{
	return (struct wm_hpp_view){.arena = arena,
		.profile = profile,
		.lines = wm_code_lines_open(arena, profile),
		.top = request->top,
		.colour = wm_paint_wanted(request->out)};
}

static void show_path(const struct wm_hpp_view *view, const char *name, FILE *out)
{
	const struct wm_exact_path *path = wm_hpp_view_find(view, name);
	if (!path)
		wm_fatal("hpp: no path '%s': give its rank or its name, START:LENGTH:OUTCOMES", name);
	wm_hpp_view_path(view, path, out);
}

static void compare(struct wm_arena *arena, const struct request *request, const struct wm_hpp_view *view)
{
	struct wm_hpp_live live;
	struct wm_hpp_profile earlier;
	wm_hpp_load(arena, request->compare, &request->settings, &live, &earlier);
	struct wm_hpp_view other = view_of(arena, request, &earlier);
	wm_hpp_view_compare(view, &other, request->out);
	wm_code_lines_close(other.lines);
	wm_hpp_live_free(&live);
}

static void export_costs(const struct request *request, const struct wm_hpp_view *view)
{
	struct wm_whole_file file;
	wm_whole_file_begin(&file, request->to_file ? request->to_file : "-");
	if (strcmp(request->export, "callgrind") == 0)
		wm_hpp_write_callgrind(view, file.stream);
	else
		wm_hpp_write_collapsed(view, file.stream);
	wm_whole_file_end(&file);
}

static void show_superblocks(
	struct wm_arena *arena, const struct request *request, const struct wm_hpp_view *view)
{
	size_t count;
	if (view->profile->blocks == 0)
		wm_fatal("hpp: superblocks are of code, which a text of branches does not have");
	struct wm_superblock *found = wm_superblocks(
		arena, view->profile, request->share, request->top, &count);
	wm_superblocks_print(view, found, count, request->out);
}

static void show(struct wm_arena *arena, const struct request *request, const struct wm_hpp_view *view)
{
	const char *warning;
	if (request->compare)
		compare(arena, request, view);
	else if (request->path)
		show_path(view, request->path, request->out);
	else if (request->export)
		export_costs(request, view);
	else if (request->superblocks)
		show_superblocks(arena, request, view);
	else if (request->json)
		wm_hpp_view_json(view, request->out);
	else
		wm_hpp_view_print(view, request->out);
	if (fflush(request->out) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
	warning = wm_code_lines_warning(view->lines);
	if (warning)
		wm_warn("hpp: %s", warning);
}

static struct wm_hpp_run run_command(struct wm_arena *arena, const struct request *request)
{
	struct wm_hpp_run run = wm_hpp_run(arena, request->words, &request->settings, request->to,
		wants_children(request), NULL);
	if (run.others)
		fprintf(stderr, "waymark: hpp: %zu more profiles, of child processes\n", run.others);
	return run;
}

static int study(struct wm_arena *arena, const struct request *request)
{
	struct wm_hpp_study study = {.kind = request->study,
		.settings = request->settings,
		.read = request->read,
		.words = request->words,
		.profile = request->to,
		.children = wants_children(request),
		.json = request->json,
		.out = request->out,
		.to = request->to_file ? request->to_file : "-"};
	int status = wm_hpp_study(arena, &study);
	if (fflush(request->out) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
	wm_arena_reset(arena);
	return status;
}

int wm_command_hpp(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct request request = {.settings = wm_hpp_settings_default()};
	struct wm_hpp_run run = {.status = 0};
	struct wm_hpp_live live;
	struct wm_hpp_profile profile;
	parse(argc, argv, &request);
	if (request.study != WM_HPP_NO_STUDY)
		return study(&arena, &request);
	if (request.words) {
		run = run_command(&arena, &request);
		request.read = run.file;
	}
	if (!request.read)
		return run.status;
	wm_hpp_load(&arena, request.read, &request.settings, &live, &profile);
	struct wm_hpp_view view = view_of(&arena, &request, &profile);
	if (request.words)
		view.file = request.to ? request.to : strrchr(run.file, '/') + 1;
	show(&arena, &request, &view);
	wm_code_lines_close(view.lines);
	wm_hpp_live_free(&live);
	wm_arena_reset(&arena);
	return run.status;
}
