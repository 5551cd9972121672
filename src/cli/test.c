/* waymark test: whether a run keeps the budgets that its authors have set. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/budget_check.h"
#include "cli/budget_file.h"
#include "cli/budget_output.h"
#include "cli/commands.h"
#include "cli/counted_run.h"
#include "cli/event_words.h"
#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/run_to_run.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "report/paint.h"

struct request {
	struct wm_arena *arena;
	const char *path;    /* of the budgets */
	const char *base;    /* or NULL */
	const char *junit;   /* or NULL */
	const char *program; /* or NULL */
	const char *object;  /* or NULL */
	const char *binary;  /* or NULL */
	size_t top;
	bool update;
	bool github;
	char **words; /* the command; or NULL */
	FILE *out;
	char *text; /* of the budgets */
	size_t bytes;
	struct wm_budgets budgets;
};

static size_t parse(int argc, char **argv, struct request *request)
{
	const char *top = "3";
	const struct wm_option options[] = {{"--base", &request->base, NULL},
		{"--junit", &request->junit, NULL}, {"--program", &request->program, NULL},
		{"--object", &request->object, NULL}, {"--binary", &request->binary, NULL},
		{"--top", &top, NULL}, {"--update", NULL, &request->update},
		{"--github", NULL, &request->github}};
	request->words = wm_counted_run_take(&argc, argv);
	int left = wm_options_parse("test", argc, argv, options, sizeof options / sizeof *options);
	request->top = wm_options_number("test", "--top", top);
	request->out = request->words ? stderr : stdout;
	if (left == 0)
		wm_fatal_usage("test: name a file with budgets: waymark test FILE -- COMMAND");
	request->path = argv[1];
	if (request->words && left > 1)
		wm_fatal_usage(
			"test: '%s' is one word too many: a command's profile is its own", argv[2]);
	return (size_t)left - 1;
}

/* The whole file as text with a zero behind it; NULL if there is none. */
static char *read_text(struct wm_arena *arena, const char *path, size_t *bytes)
{
	enum { STEP = 65536 };
	size_t room = 0;
	char *text = NULL;
	FILE *file = fopen(path, "r");
	*bytes = 0;
	if (!file && errno == ENOENT)
		return NULL;
	for (size_t got = 1; file && got > 0; *bytes += got) {
		if (*bytes + STEP + 1 > room) {
			char *larger = wm_arena_alloc(arena, room = 2 * room + STEP + 1, 1);
			if (text)
				memcpy(larger, text, *bytes);
			text = larger;
		}
		got = fread(text + *bytes, 1, STEP, file);
	}
	if (!file || ferror(file))
		wm_fatal("test: cannot read '%s': %s", path, strerror(errno));
	fclose(file);
	text[*bytes] = '\0';
	return text;
}

static void read_budgets(struct request *request)
{
	struct wm_error error;
	request->text = read_text(request->arena, request->path, &request->bytes);
	if (!request->text)
		wm_fatal("test: there is no file '%s'", request->path);
	if (wm_budgets_read(request->arena, request->path, request->text, request->bytes,
		    &request->budgets, &error) < 0)
		wm_fatal("test: %s", error.text);
	if (request->base)
		request->budgets.base = NULL;
}

/* Names in the file are relative to its folder. */
static const char *path_of(const struct request *request, const char *name)
{
	const char *slash = strrchr(request->path, '/');
	if (name[0] == '/' || !slash || name == request->base)
		return name;
	size_t folder = (size_t)(slash - request->path) + 1;
	char *path = wm_arena_alloc(request->arena, folder + strlen(name) + 1, 1);
	memcpy(path, request->path, folder);
	strcpy(path + folder, name);
	return path;
}

static const struct wm_budget_base *add_base(
	const struct request *request, struct wm_budget_run *run, const char *name)
{
	struct wm_budget_base *base = &run->bases[run->base_count];
	struct wm_error error;
	size_t bytes;
	for (size_t i = 0; i < run->base_count; i++)
		if (strcmp(run->bases[i].name, name) == 0)
			return &run->bases[i];
	*base = (struct wm_budget_base){.name = name, .path = path_of(request, name)};
	char *text = read_text(request->arena, base->path, &bytes);
	if (text && !request->update &&
		wm_snapshot_read(request->arena, base->path, text, bytes, &base->snapshot, &error) <
			0)
		wm_fatal("test: %s", error.text);
	base->there = text && !request->update;
	run->base_count++;
	return base;
}

static void add_bases(const struct request *request, struct wm_budget_run *run)
{
	const struct wm_budgets *budgets = &request->budgets;
	const char *otherwise = request->base ? request->base : budgets->base;
	run->bases = wm_arena_alloc(request->arena, budgets->count + 1, sizeof *run->bases);
	if (otherwise)
		run->otherwise = add_base(request, run, otherwise);
	for (size_t i = 0; i < budgets->count; i++)
		if (budgets->list[i].base)
			add_base(request, run, budgets->list[i].base);
}

/* All that a base should know, and what is asked for besides. */
static struct wm_event_kinds kinds_of(const struct request *request)
{
	struct wm_event_kinds kinds = wm_event_words_parse(request->arena, "test", NULL);
	struct wm_event_kind *list =
		wm_arena_alloc(request->arena, kinds.count + request->budgets.count, sizeof *list);
	memcpy(list, kinds.kinds, kinds.count * sizeof *list);
	for (size_t i = 0; i < request->budgets.count; i++) {
		const struct wm_event_kind *kind = &request->budgets.list[i].kind;
		bool known = false;
		for (size_t k = 0; k < kinds.count; k++)
			known |= strcmp(list[k].name, kind->name) == 0;
		if (!known)
			list[kinds.count++] = *kind;
	}
	kinds.kinds = list;
	return kinds;
}

/* The number that a broken limit becomes; false if it stays. */
static bool new_limit(const struct wm_budget_verdict *verdict, uint64_t *limit)
{
	const struct wm_budget *budget = verdict->budget;
	struct wm_interval count = verdict->count;
	bool lower = budget->relation == WM_BUDGET_AT_LEAST;
	int64_t number = lower ? count.low : count.high;
	if (verdict->kept || !verdict->counted || budget->base || number < 0 ||
		number == WM_NO_HIGH || (budget->per_call && verdict->calls == 0))
		return false;
	*limit = (uint64_t)number;
	if (budget->per_call)
		*limit = (*limit + (lower ? 0 : verdict->calls - 1)) / verdict->calls;
	return !budget->per_call || budget->relation != WM_BUDGET_EXACTLY ||
	       *limit * verdict->calls == (uint64_t)number;
}

static size_t update_budgets(
	const struct request *request, const struct wm_budget_verdict *verdicts)
{
	struct wm_whole_file file;
	size_t at = 0, changed = 0;
	uint64_t limit;
	for (size_t i = 0; i < request->budgets.count; i++)
		changed += new_limit(&verdicts[i], &limit);
	if (changed == 0)
		return 0;
	wm_whole_file_begin(&file, request->path);
	for (size_t i = 0; i < request->budgets.count; i++) {
		const struct wm_budget *budget = &request->budgets.list[i];
		if (!new_limit(&verdicts[i], &limit))
			continue;
		fwrite(request->text + at, 1, budget->number_at - at, file.stream);
		fputs(wm_budget_number(request->arena, limit), file.stream);
		at = budget->number_at + budget->number_bytes;
	}
	fwrite(request->text + at, 1, request->bytes - at, file.stream);
	wm_whole_file_end(&file);
	return changed;
}

static void save_bases(const struct wm_budget_run *run)
{
	struct wm_whole_file file;
	for (size_t i = 0; i < run->base_count; i++) {
		wm_whole_file_begin(&file, run->bases[i].path);
		wm_snapshot_write(run->snapshot, file.stream);
		wm_whole_file_end(&file);
	}
}

static void update(const struct request *request, const struct wm_budget_run *run,
	const struct wm_budget_verdict *verdicts)
{
	size_t changed = update_budgets(request, verdicts), left = 0;
	uint64_t limit;
	save_bases(run);
	for (size_t i = 0; i < request->budgets.count; i++)
		left += !verdicts[i].kept && !verdicts[i].budget->base &&
			!new_limit(&verdicts[i], &limit);
	fprintf(request->out, "%zu limit%s changed in %s; %zu base%s written\n", changed,
		changed == 1 ? "" : "s", request->path, run->base_count,
		run->base_count == 1 ? "" : "s");
	for (size_t i = 0; left && i < request->budgets.count; i++)
		if (!verdicts[i].kept && !verdicts[i].budget->base &&
			!new_limit(&verdicts[i], &limit))
			fprintf(request->out, "FAILED %s:%zu: %s: %s\n", request->path,
				verdicts[i].budget->line, verdicts[i].budget->text,
				verdicts[i].message);
	if (left)
		exit(1);
}

/* With the code of the base: whether the command itself does another thing each time. */
static const char *find_reason(const struct request *request, struct wm_budget_run *run,
	const struct wm_budget_verdict *verdicts)
{
	enum { RUNS = 4 };
	struct wm_run_to_run runs;
	bool same = false;
	char *text = NULL;
	size_t bytes;
	for (size_t i = 0; i < request->budgets.count; i++)
		same |= verdicts[i].same_code;
	FILE *out = same && request->words ? open_memstream(&text, &bytes) : NULL;
	if (!out)
		return "";
	wm_run_to_run(request->arena, "test", request->words, request->program, RUNS, run->snapshot,
		&runs);
	if (runs.count == 0)
		fprintf(out,
			"The command did the same in %d runs: its input, or what it links, "
			"differs from the base's",
			RUNS);
	else
		wm_run_to_run_print(&runs, run->snapshot, run->top, out);
	fclose(out);
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	const char *note = wm_arena_copy_text(request->arena, text);
	free(text);
	return note;
}

static void write_junit(const struct request *request, const struct wm_budget_result *result)
{
	struct wm_whole_file file;
	wm_whole_file_begin(&file, request->junit);
	wm_budget_write_junit(result, file.stream);
	wm_whole_file_end(&file);
}

/* Returns whether all is as it should be. */
static bool judge(const struct request *request, struct wm_budget_run *run, int status)
{
	const struct wm_budgets *budgets = &request->budgets;
	struct wm_budget_verdict *verdicts =
		wm_arena_alloc(request->arena, budgets->count, sizeof *verdicts);
	for (size_t i = 0; i < budgets->count; i++)
		verdicts[i] = wm_budget_check(run, &budgets->list[i]);
	if (request->update) {
		if (status)
			wm_fatal("test: the command ended with status %d: nothing is updated",
				status);
		update(request, run, verdicts);
		return true;
	}
	struct wm_budget_result result = {.path = request->path,
		.status = status,
		.count = budgets->count,
		.verdicts = verdicts,
		.note = find_reason(request, run, verdicts)};
	wm_budget_print(&result, wm_paint_wanted(request->out), request->out);
	if (request->junit)
		write_junit(request, &result);
	if (request->github)
		wm_budget_write_github(&result, request->out);
	return status == 0 && wm_budget_broken(&result) == 0;
}

int wm_command_test(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct request request = {.arena = &arena};
	struct wm_counted_run counted = {.status = 0};
	struct wm_snapshot snapshot;
	counted.count = parse(argc, argv, &request);
	read_budgets(&request);
	struct wm_budget_run run = {.arena = &arena, .snapshot = &snapshot, .top = request.top};
	add_bases(&request, &run);
	if (request.words)
		counted = wm_counted_run(&arena, "test", request.words, false);
	else
		counted.profiles =
			wm_load_profiles(&arena, "test", argv + 2, request.binary, &counted.count);
	struct wm_profile *profile = wm_counted_run_choose("test", &counted, request.program);
	wm_load_choose_object(&arena, "test", profile, request.object);
	struct wm_sources sources = wm_sources_of(&profile->object);
	struct wm_event_kinds kinds = kinds_of(&request);
	run.profile = profile;
	run.sources = &sources;
	wm_snapshot_make(&arena, profile, &kinds, &sources, request.update, &snapshot);
	bool good = judge(&request, &run, counted.status);
	if (fflush(request.out) != 0)
		wm_fatal("cannot write the results: %s", strerror(errno));
	wm_stale_warn("test", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return good ? 0 : 1;
}
