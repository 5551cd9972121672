/* waymark cover: what runs covered. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/cover_runs.h"
#include "cli/fatal.h"
#include "cli/git_lines.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "report/cover_view.h"
#include "report/paint.h"

enum { LIMIT_MISSED = 3 };

struct limits {
	bool given[WM_COVER_QUANTITIES];
	double percent[WM_COVER_QUANTITIES];
};

/* lines:90,outcomes:80 */
static struct limits read_limits(struct wm_arena *arena, const char *text)
{
	struct limits limits = {0};
	char *next = NULL, *end;
	for (char *word = strtok_r(wm_arena_copy_text(arena, text), ",", &next); word;
		word = strtok_r(NULL, ",", &next)) {
		size_t quantity = 0, length = strcspn(word, ":");
		while (quantity < WM_COVER_QUANTITIES &&
			(strlen(wm_cover_words[quantity]) != length ||
				strncmp(word, wm_cover_words[quantity], length) != 0))
			quantity++;
		double percent = word[length] ? strtod(word + length + 1, &end) : -1;
		if (quantity == WM_COVER_QUANTITIES || !word[length] || *end ||
			strspn(word + length + 1, "0123456789.") != strlen(word + length + 1) ||
			end == word + length + 1 || percent > 100)
			wm_fatal_usage("cover: --limit: '%s' is no limit such as lines:90; limits "
				       "are on functions, lines, outcomes, pairs and paths",
				word);
		limits.given[quantity] = true;
		limits.percent[quantity] = percent;
	}
	return limits;
}

/* Of nothing, everything was covered. */
static double percent_of(const struct wm_cover_amount *amount)
{
	return amount->of ? 100.0 * (double)amount->covered / (double)amount->of : 100;
}

/* One line names all limits that were missed. */
static int judge(const struct wm_cover *cover, const struct limits *limits, bool paths)
{
	char text[512] = "";
	size_t bytes = 0;
	for (size_t q = 0; q < WM_COVER_QUANTITIES; q++) {
		double percent = percent_of(&cover->total[q]);
		if (!limits->given[q])
			continue;
		if (q >= WM_COVER_PAIRS && !paths)
			wm_fatal("cover: --limit: %s are not known: paths were not counted in all "
				 "programs",
				wm_cover_words[q]);
		if (percent < limits->percent[q])
			bytes += (size_t)snprintf(text + bytes, sizeof text - bytes,
				"%s%.1f%% of %s, not %g%%", bytes ? ", " : "", percent,
				wm_cover_words[q], limits->percent[q]);
	}
	if (bytes == 0)
		return 0;
	fprintf(stderr, "waymark: cover: covered are %s\n", text);
	return LIMIT_MISSED;
}

static bool is_changed(const void *context, const char *file, uint32_t line)
{
	return wm_git_lines_have(context, file, line);
}

static bool is_inside(const char *root, const char *file)
{
	size_t length = strlen(root);
	return file[0] != '/' || (strncmp(file, root, length) == 0 && file[length] == '/');
}

/* A change of another tree would always be covered. */
static void refuse_outside(const struct wm_cover_runs *runs, const char *root)
{
	for (size_t i = 0; i < runs->profile_count; i++)
		for (uint32_t k = 0; k < runs->profiles[i].function_count; k++)
			if (is_inside(
				    root, runs->profiles[i].functions[k].function->scopes[0].file))
				return;
	wm_fatal("cover: --diff: no source of %s is in the repository %s; run this in the working "
		 "tree that the program was built from",
		runs->profiles[0].object.path, root);
}

struct tests {
	struct wm_arena *arena;
	const struct wm_cover_request *request;
	const struct wm_ran_paths *ran;
	size_t count, capacity;
	struct wm_cover_test *list;
};

static int compare_ids(const void *key, const void *element)
{
	const struct wm_ran_path *path = element;
	uint64_t id = *(const uint64_t *)key;
	return (id > path->id) - (id < path->id);
}

/* Paths that the test took, and those among them that no other did. */
static void count_paths(const struct wm_ran_paths *ran, struct wm_cover_test *test,
	const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		struct wm_saved_function key = wm_ran_paths_key(function->function);
		const struct wm_ran_function *its = ran ? wm_ran_paths_get(ran, &key) : NULL;
		for (uint32_t k = 0; its && its->count && k < function->path_count; k++) {
			const struct wm_ran_path *path = bsearch(&function->paths[k].id, its->paths,
				its->count, sizeof *its->paths, compare_ids);
			bool took = path && (int64_t)function->paths[k].count > 0;
			test->paths += took;
			test->own += took && path->label_count == 1;
		}
	}
}

static void add_test(
	void *context, const char *label, const struct wm_profile *profiles, size_t profile_count)
{
	struct tests *tests = context;
	struct wm_arena scratch = {0};
	struct wm_cover cover;
	struct wm_error error;
	struct wm_cover_request request = *tests->request;
	request.profiles = profiles;
	request.profile_count = profile_count;
	request.ran = NULL;
	if (wm_cover_make(&scratch, &request, &cover, &error) < 0)
		wm_fatal("cover: %s", error.text);
	tests->list = wm_arena_grow(
		tests->arena, tests->list, tests->count, &tests->capacity, sizeof *tests->list);
	struct wm_cover_test *test = &tests->list[tests->count++];
	*test = (struct wm_cover_test){.label = wm_arena_copy_text(tests->arena, label)};
	memcpy(test->amount, cover.total, sizeof test->amount);
	for (size_t i = 0; i < profile_count; i++)
		count_paths(tests->ran, test, &profiles[i]);
	wm_arena_reset(&scratch);
}

int wm_command_cover(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *top = "10", *binary = NULL, *limit = NULL, *range = NULL;
	bool json = false, by_test = false, not_run = false;
	const struct wm_option options[] = {{"--top", &top, NULL}, {"--json", NULL, &json},
		{"--binary", &binary, NULL}, {"--limit", &limit, NULL}, {"--diff", &range, NULL},
		{"--by-test", NULL, &by_test}, {"--not-run", NULL, &not_run}};
	size_t count = (size_t)wm_options_parse(
		"cover", argc, argv, options, sizeof options / sizeof *options);
	struct limits limits = read_limits(&arena, limit ? limit : "");
	struct wm_cover_runs runs;
	struct wm_git_lines changed = {0};
	struct wm_cover cover;
	struct wm_error error;
	size_t rows = wm_options_number("cover", "--top", top);
	if (range)
		changed = wm_git_lines_read(&arena, "cover", range);
	wm_cover_runs_read(&arena, "cover", argv + 1, count, binary, &runs);
	if (range)
		refuse_outside(&runs, changed.root);
	const struct wm_cover_request request = {.profiles = runs.profiles,
		.profile_count = runs.profile_count,
		.ran = range ? NULL : runs.paths,
		.keeps = range ? is_changed : NULL,
		.context = &changed};
	if (wm_cover_make(&arena, &request, &cover, &error) < 0)
		wm_fatal("cover: %s", error.text);
	if (cover.file_count == 0 && !range)
		wm_fatal("cover: no lines are known: build with -g");
	struct tests tests = {.arena = &arena, .request = &request, .ran = runs.paths};
	if (by_test)
		wm_cover_runs_each("cover", argv + 1, count, binary, add_test, &tests);
	struct wm_sources sources = wm_sources_of(&runs.profiles[0].object);
	const struct wm_cover_view view = {.cover = &cover,
		.ran = request.ran,
		.program = wm_cover_runs_programs(&arena, &runs),
		.change = range,
		.test_count = tests.count,
		.tests = tests.list,
		.runs = runs.runs,
		.cut_short = runs.cut_short,
		.top = rows,
		.colour = wm_paint_wanted(stdout),
		.sources = &sources};
	if (json)
		wm_cover_view_json(&view, stdout);
	else if (not_run)
		wm_cover_view_not_run(&view, stdout);
	else
		wm_cover_view_print(&view, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write what was covered: %s", strerror(errno));
	if (!json)
		wm_stale_warn("cover", &sources);
	int status = judge(&cover, &limits, request.ran != NULL);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return status;
}
