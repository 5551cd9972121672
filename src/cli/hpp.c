/* waymark hpp: the hardware path profiler as a model, on branches of any program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/counted_run.h"
#include "cli/hpp_load.h"
#include "cli/hpp_run.h"
#include "cli/options.h"
#include "report/hpp_view.h"
#include "report/paint.h"

struct request {
	struct wm_hpp_settings settings;
	const char *read, *path, *compare, *to, *children;
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

static void parse(int argc, char **argv, struct request *request)
{
	const char *top = "10";
	struct setter setters[] = {{NULL, wm_hpp_set_paths}, {NULL, wm_hpp_set_control},
		{NULL, wm_hpp_set_event}, {NULL, set_table}, {NULL, wm_hpp_set_stack},
		{NULL, wm_hpp_set_overflow}, {NULL, wm_hpp_set_length}, {NULL, wm_hpp_set_counter},
		{NULL, wm_hpp_set_backward}, {NULL, wm_hpp_set_limit},
		{NULL, wm_hpp_set_model}, {NULL, wm_hpp_set_power}};
	const struct wm_option options[] = {{"--paths", &setters[0].text, NULL},
		{"--ppcr", &setters[1].text, NULL}, {"--event", &setters[2].text, NULL},
		{"--table", &setters[3].text, NULL}, {"--stack", &setters[4].text, NULL},
		{"--overflow", &setters[5].text, NULL}, {"--length", &setters[6].text, NULL},
		{"--counter-bits", &setters[7].text, NULL}, {"--backward", &setters[8].text, NULL},
		{"--limit", &setters[9].text, NULL}, {"--model", &setters[10].text, NULL},
		{"--power", &setters[11].text, NULL}, {"-o", &request->to, NULL},
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

static void show(struct wm_arena *arena, const struct request *request, const struct wm_hpp_view *view)
{
	const char *warning;
	if (request->compare)
		compare(arena, request, view);
	else if (request->path)
		show_path(view, request->path, request->out);
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

int wm_command_hpp(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct request request = {.settings = wm_hpp_settings_default()};
	struct wm_hpp_run run = {.status = 0};
	struct wm_hpp_live live;
	struct wm_hpp_profile profile;
	parse(argc, argv, &request);
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
