/* waymark store: what is in a store of runs, and how it gets in and out. */
#define _XOPEN_SOURCE 700 /* strptime */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/find_store.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_words.h"
#include "profile/objects.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

struct request {
	struct wm_arena arena;
	const char *output; /* or NULL */
	const char *label;  /* or NULL */
	const char *kind;   /* or NULL */
	const char *outcome;
	const char *before;
	const char *object;
	bool json;
	char **words; /* behind the subcommand */
	size_t count;
};

static void stop_on(int status, const struct wm_error *error)
{
	if (status < 0)
		wm_fatal("%s", error->text);
}

static const char *need_store(struct request *request, const char *what)
{
	if (request->count == 0)
		wm_fatal_usage("store %s: name the store: waymark store %s DB", what, what);
	request->words++;
	request->count--;
	return request->words[-1];
}

/* A profile's label is its name, unless --label says another. */
static const char *label_of(struct request *request, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = wm_arena_copy_text(&request->arena, slash ? slash + 1 : path);
	size_t length = strlen(name);
	if (length > 4 && strcmp(name + length - 4, ".wmk") == 0)
		name[length - 4] = '\0';
	return wm_run_words_printable(&request->arena, name);
}

struct added {
	size_t files[WM_STORE_FILE_THE_SAME + 1];
	const char *same; /* one that was there already */
};

/* When the file was written last: its runs started before that. */
static int64_t time_of(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 ? status.st_mtime * 1000000ll : wm_run_words_now();
}

static void add_path(
	struct request *request, struct wm_store *store, const char *path, struct added *added)
{
	struct wm_error error;
	enum wm_store_file_news news;
	const struct wm_store_run run = {.kind = request->kind ? request->kind : "test",
		.label = request->label ? request->label : label_of(request, path),
		.host = wm_run_words_host(&request->arena),
		.outcome = request->outcome ? request->outcome : "unknown",
		.started = time_of(path)};
	stop_on(wm_store_add_file(store, &run, path, &news, &error), &error);
	added->files[news]++;
	if (news == WM_STORE_FILE_THE_SAME)
		added->same = path;
}

static void add_word(
	struct request *request, struct wm_store *store, const char *word, struct added *added)
{
	struct stat status;
	struct dirent **entries;
	if (stat(word, &status) != 0 || !S_ISDIR(status.st_mode)) {
		add_path(request, store, word, added);
		return;
	}
	int count = scandir(word, &entries, wm_find_is_profile, alphasort);
	if (count <= 0)
		wm_fatal("%s: no .wmk file in this directory", word);
	for (int i = 0; i < count; i++) {
		char *path = wm_arena_alloc(
			&request->arena, strlen(word) + strlen(entries[i]->d_name) + 2, 1);
		sprintf(path, "%s/%s", word, entries[i]->d_name);
		add_path(request, store, path, added);
		free(entries[i]);
	}
	free(entries);
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static int add(struct request *request)
{
	struct added added = {.same = NULL};
	const char *place = need_store(request, "add");
	if (request->count == 0)
		wm_fatal_usage("store add: name the profiles to add, or directories of them");
	if (request->label)
		request->label = wm_run_words_printable(&request->arena,
			wm_run_words_label(&request->arena, "store add", request->label, NULL));
	if (request->outcome)
		wm_run_words_check_outcome("store add", request->outcome);
	wm_run_words_check_kind("store add", request->kind ? request->kind : "test");
	struct wm_store *store = wm_find_store_open(&request->arena, place, WM_STORE_MAKE);
	for (size_t i = 0; i < request->count; i++)
		add_word(request, store, request->words[i], &added);
	size_t new = added.files[WM_STORE_FILE_NEW], grew = added.files[WM_STORE_FILE_GREW];
	printf("added %zu profile%s to %s", new, plural(new), wm_store_place(store));
	if (grew)
		printf(", and what %zu counted since", grew);
	putchar('\n');
	if (added.same)
		wm_warn("%zu profile%s in the store already, such as %s",
			added.files[WM_STORE_FILE_THE_SAME],
			added.files[WM_STORE_FILE_THE_SAME] == 1 ? " was" : "s were", added.same);
	wm_store_close(store);
	return 0;
}

/* 2026-01-31, or 2026-01-31 23:59: local time. */
static int64_t parse_date(const char *text)
{
	struct tm date = {.tm_isdst = -1};
	const char *end = strptime(text, "%Y-%m-%d", &date);
	if (end && *end)
		end = strptime(end, "%n%H:%M", &date);
	if (!end || *end)
		wm_fatal_usage(
			"store: --before='%s' is no date such as 2026-01-31 or '2026-01-31 23:59'",
			text);
	return mktime(&date) * 1000000ll;
}

static struct wm_store_filter filter_of(const struct request *request)
{
	return (struct wm_store_filter){.label = request->label,
		.kind = request->kind,
		.outcome = request->outcome,
		.before = request->before ? parse_date(request->before) : 0};
}

static size_t read_runs(struct request *request, struct wm_store *store, struct wm_store_run **runs)
{
	struct wm_error error;
	size_t count;
	const struct wm_store_filter filter = filter_of(request);
	stop_on(wm_store_runs(&request->arena, store, &filter, runs, &count, &error), &error);
	return count;
}

/* The runs of one label and kind. */
struct label {
	const char *label, *kind;
	size_t runs, failed;
	int64_t cpu, last;
	const char *outcome; /* of the last run */
};

static int compare_runs(const void *left, const void *right)
{
	const struct wm_store_run *a = left, *b = right;
	int order = strcmp(a->label, b->label);
	order = order ? order : strcmp(a->kind, b->kind);
	order = order ? order : (a->started > b->started) - (a->started < b->started);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool has_failed(const char *outcome)
{
	return strncmp(outcome, "fail", 4) == 0 || strncmp(outcome, "signal", 6) == 0;
}

static size_t group(struct wm_arena *arena, struct wm_store_run *runs, size_t count,
	struct label **result)
{
	size_t labels = 0;
	struct label *list = wm_arena_alloc(arena, count, sizeof *list);
	if (count)
		qsort(runs, count, sizeof *runs, compare_runs);
	for (size_t i = 0; i < count; i++) {
		bool same = i > 0 && strcmp(runs[i - 1].label, runs[i].label) == 0 &&
			    strcmp(runs[i - 1].kind, runs[i].kind) == 0;
		labels += !same;
		struct label *label = &list[labels - 1];
		label->label = runs[i].label;
		label->kind = runs[i].kind;
		label->runs++;
		label->failed += has_failed(runs[i].outcome);
		label->cpu += runs[i].cpu;
		label->last = runs[i].started;
		label->outcome = runs[i].outcome;
	}
	*result = list;
	return labels;
}

static const char *date_text(struct wm_arena *arena, int64_t microseconds)
{
	enum { BYTES = 32 };
	time_t seconds = (time_t)(microseconds / 1000000);
	struct tm date;
	char *text = wm_arena_alloc(arena, BYTES, 1);
	localtime_r(&seconds, &date);
	strftime(text, BYTES, "%Y-%m-%d %H:%M", &date);
	return text;
}

static void print_labels(struct request *request, const struct label *labels, size_t count)
{
	static const struct wm_column columns[] = {{.title = "runs", .right = true},
		{.title = "failed", .right = true}, {.title = "seconds", .right = true},
		{.title = "last run"}, {.title = "ended"}, {.title = "kind"}, {.title = "label"}};
	struct wm_listing listing = {.arena = &request->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (size_t i = 0; i < count; i++) {
		wm_listing_add(&listing, "%s", wm_text_count(labels[i].runs).text);
		wm_listing_add(&listing, "%s", wm_text_count(labels[i].failed).text);
		wm_listing_add(&listing, "%.1f", (double)labels[i].cpu / 1e6);
		wm_listing_add(&listing, "%s", date_text(&request->arena, labels[i].last));
		wm_listing_add(&listing, "%s", labels[i].outcome);
		wm_listing_add(&listing, "%s", labels[i].kind);
		wm_listing_add(&listing, "%s", labels[i].label);
	}
	if (count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

static void print_labels_json(struct wm_store *store, const struct label *labels, size_t count)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "store");
	wm_json_text(&json, "store", wm_store_place(store));
	wm_json_begin_array(&json, "labels");
	for (size_t i = 0; i < count; i++) {
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "label", labels[i].label);
		wm_json_text(&json, "kind", labels[i].kind);
		wm_json_number(&json, "runs", labels[i].runs);
		wm_json_number(&json, "failed", labels[i].failed);
		wm_json_signed(&json, "cpu_us", labels[i].cpu);
		wm_json_signed(&json, "last", labels[i].last);
		wm_json_text(&json, "outcome", labels[i].outcome);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static int list(struct request *request)
{
	struct label *labels;
	struct wm_store_run *runs;
	const char *place = request->count ? request->words[0] : NULL;
	if (request->count > 1)
		wm_fatal_usage("store ls: '%s' is one word too many", request->words[1]);
	struct wm_store *store = wm_find_store_open(&request->arena, place, WM_STORE_USE);
	size_t run_count = read_runs(request, store, &runs);
	size_t count = group(&request->arena, runs, run_count, &labels);
	if (request->json) {
		print_labels_json(store, labels, count);
	} else {
		printf("%s: %s run%s of %zu label%s\n", wm_store_place(store),
			wm_text_count(run_count).text, plural(run_count), count, plural(count));
		print_labels(request, labels, count);
	}
	wm_store_close(store);
	return 0;
}

static int take_out(struct request *request)
{
	struct wm_error error;
	struct wm_store_run *runs;
	const char *place = need_store(request, "rm");
	if (request->count)
		wm_fatal_usage("store rm: '%s' is one word too many", request->words[0]);
	if (!request->label && !request->before && !request->outcome && !request->kind)
		wm_fatal_usage("store rm: say which runs: --label=GLOB, --before=DATE, "
			       "--outcome=GLOB or --kind=KIND");
	struct wm_store *store = wm_find_store_open(&request->arena, place, WM_STORE_USE);
	size_t count = read_runs(request, store, &runs);
	if (count)
		stop_on(wm_store_remove(store, runs, count, &error), &error);
	printf("removed %zu run%s from %s\n", count, plural(count), wm_store_place(store));
	wm_store_close(store);
	return 0;
}

static int merge(struct request *request)
{
	struct wm_error error;
	size_t sum = 0;
	if (!request->output)
		wm_fatal_usage("store merge: name the store to add to: -o ALL.db");
	if (request->count == 0)
		wm_fatal_usage("store merge: name the stores whose runs to add");
	for (size_t i = 0; i < request->count; i++) /* before anything is made */
		wm_store_close(wm_find_store_open(
			&request->arena, request->words[i], WM_STORE_USE));
	struct wm_store *store =
		wm_find_store_open(&request->arena, request->output, WM_STORE_MAKE);
	for (size_t i = 0; i < request->count; i++) {
		size_t added;
		struct wm_store *other = wm_find_store_open(
			&request->arena, request->words[i], WM_STORE_USE);
		stop_on(wm_store_merge(store, other, &added, &error), &error);
		wm_store_close(other);
		sum += added;
	}
	printf("added %zu run%s to %s\n", sum, plural(sum), wm_store_place(store));
	wm_store_close(store);
	return 0;
}

/* The one that is meant; ends the tool unless it is clear which. */
static const struct wm_file *choose(
	const struct request *request, const struct wm_file *files, size_t count)
{
	char names[512] = "";
	for (size_t i = 0; i < count; i++) {
		const char *name = wm_profile_object_name(files[i].object_path);
		size_t used = strlen(names);
		if (count == 1 || (request->object && strcmp(name, request->object) == 0))
			return &files[i];
		snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
	}
	if (count == 0)
		wm_fatal("store export: no run is asked for by that");
	wm_fatal_usage("store export: the runs are of several programs (%s): name one with "
		       "--object=NAME",
		names);
}

static int export(struct request *request)
{
	struct wm_error error;
	struct wm_store_run *runs;
	struct wm_file *files;
	struct wm_output output;
	size_t count;
	const char *place = need_store(request, "export");
	if (!request->output)
		wm_fatal_usage("store export: name the profile to write: -o OUT.wmk");
	if (request->count)
		wm_fatal_usage("store export: '%s' is one word too many", request->words[0]);
	struct wm_store *store = wm_find_store_open(&request->arena, place, WM_STORE_USE);
	size_t run_count = read_runs(request, store, &runs);
	stop_on(wm_store_files(&request->arena, store, runs, run_count, &files, &count, &error),
		&error);
	const struct wm_file *file = choose(request, files, count);
	wm_output_open(&request->arena, request->output, &output);
	wm_output_write(&output, file);
	printf("wrote %s: %s run%s of %s\n", wm_text_clean(&request->arena, output.path),
		wm_text_count(file->runs).text, plural(file->runs),
		wm_text_clean(&request->arena, wm_profile_object_name(file->object_path)));
	wm_store_close(store);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct request *);
} subcommands[] = {
	{"add", add}, {"ls", list}, {"rm", take_out}, {"merge", merge}, {"export", export}};

static int run_subcommand(struct request *request, const char *name)
{
	struct wm_nearest nearest = {.word = name};
	for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
		if (strcmp(name, subcommands[i].name) == 0)
			return subcommands[i].run(request);
		wm_nearest_offer(&nearest, subcommands[i].name);
	}
	wm_fatal_usage("store: '%s' is none of add, ls, rm, merge, export%s%s%s", name,
		nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "",
		nearest.best ? "?" : "");
}

int wm_command_store(int argc, char **argv)
{
	struct request request = {.output = NULL};
	const struct wm_option options[] = {{"-o", &request.output, NULL},
		{"--label", &request.label, NULL}, {"--kind", &request.kind, NULL},
		{"--outcome", &request.outcome, NULL}, {"--before", &request.before, NULL},
		{"--object", &request.object, NULL}, {"--json", NULL, &request.json}};
	int words =
		wm_options_parse("store", argc, argv, options, sizeof options / sizeof *options);
	if (words == 0)
		wm_fatal_usage("store: say what to do: add, ls, rm, merge or export");
	request.words = argv + 2;
	request.count = (size_t)words - 1;
	int status = run_subcommand(&request, argv[1]);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	wm_arena_reset(&request.arena);
	return status;
}
