/* waymark residual: the paths that ran in the field and in no test. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/ran_words.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "profile/objects.h"
#include "profile/path_selection.h"
#include "report/paint.h"
#include "report/residual_view.h"

enum { GATE_FAILED = 3, MAX_WORDS = 4096 };

struct words {
	const char *tested, *kinds, *top, *binary, *fail_if, *accept, *accept_all, *across;
	bool json;
};

/* A list with commas, each word a kind. */
static void read_kinds(
	struct wm_arena *arena, const char *option, const char *list, bool kinds[WM_RESIDUAL_KINDS])
{
	char *next = NULL;
	for (char *word = strtok_r(wm_arena_copy_text(arena, list), ",", &next); word;
		word = strtok_r(NULL, ",", &next)) {
		struct wm_nearest nearest = {.word = word};
		size_t kind = 0;
		for (; kind < WM_RESIDUAL_KINDS; kind++) {
			if (strcmp(wm_residual_kind_words[kind], word) == 0)
				break;
			wm_nearest_offer(&nearest, wm_residual_kind_words[kind]);
		}
		if (kind == WM_RESIDUAL_KINDS)
			wm_fatal_usage("residual: %s: '%s' is no kind of path%s%s; kinds are "
				       "function, changed, code, outcome, copy, combination, early "
				       "and uncertain",
				option, word, nearest.best ? "; did you mean " : "",
				nearest.best ? nearest.best : "");
		kinds[kind] = true;
	}
}

static struct wm_ran_paths read_tests(struct wm_arena *arena, const char *tested)
{
	struct wm_ran_paths tests = wm_ran_paths_start(arena);
	char *words[MAX_WORDS], *next = NULL;
	size_t count = 0;
	if (!tested)
		wm_fatal_usage("residual: what did the tests run? name it with "
			       "--tested=TESTS.wmp, or a profile or a folder of them");
	if (strcmp(tested, "none") == 0)
		return tests;
	for (char *word = strtok_r(wm_arena_copy_text(arena, tested), ",", &next); word;
		word = strtok_r(NULL, ",", &next)) {
		if (count == MAX_WORDS)
			wm_fatal_usage("residual: --tested names more than %d files; name their "
				       "folder",
				MAX_WORDS);
		words[count++] = word;
	}
	if (count == 0)
		wm_fatal_usage("residual: --tested names nothing");
	wm_ran_words_add(&tests, "residual", words, count, NULL);
	for (size_t i = 0; i < tests.function_count; i++)
		if (tests.functions[i].entered)
			return tests;
	wm_fatal("residual: no path ran in the tests, so every path would be untested; say "
		 "--tested=none if that is meant");
}

/* Programs of the field, for a heading. */
static const char *name_programs(
	struct wm_arena *arena, const struct wm_profile *profiles, size_t count)
{
	const char *first = wm_profile_object_name(profiles[0].object.path);
	if (count == 1)
		return first;
	size_t bytes = strlen(first) + 40;
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%s and %zu more", first, count - 1);
	return text;
}

/* Paths that nobody counted are not said to be tested or not. */
static void warn_of_unwatched(const struct wm_profile *profiles, size_t count)
{
	bool chosen = false;
	uint32_t selected = 0;
	for (size_t i = 0; i < count; i++) {
		struct wm_path_selection selection = wm_path_selection_of(&profiles[i]);
		chosen |= selection.some_functions;
		selected += selection.selected;
	}
	if (selected > 0)
		wm_warn("residual: in %u function%s of the field only selected paths were counted; "
			"nothing is known of others",
			selected, selected == 1 ? "" : "s");
	else if (chosen)
		wm_warn("residual: the build of the field counts chosen functions only; nothing is "
			"known of others");
}

/* Writes what is untested, and what was accepted before, as the set to accept from now on. */
static void write_accepted(struct wm_arena *arena, const struct wm_residual *residual,
	const char *accept, const char *output)
{
	struct wm_ran_paths all = wm_ran_paths_start(arena);
	struct wm_ran_sample sample = {.label = wm_ran_paths_label(&all, "accepted")};
	struct wm_whole_file file;
	size_t left_out;
	char *word = (char *)accept, about[80];
	if (accept)
		wm_ran_words_add(&all, "residual", &word, 1, NULL);
	for (size_t i = 0; i < residual->row_count; i++) {
		const struct wm_residual_row *row = &residual->rows[i];
		struct wm_ran_path path = {
			.id = row->ran->id, .count = 1, .partial = row->ran->partial};
		if (row->kind != WM_RESIDUAL_UNCERTAIN)
			wm_ran_paths_add(&all, &sample, &row->function->field->key, &path, 1);
	}
	const struct wm_saved_paths saved = wm_ran_paths_save(arena, &all, &left_out);
	snprintf(about, sizeof about, "accepted: untested paths of %zu functions", saved.count);
	wm_whole_file_begin(&file, output);
	wm_saved_paths_write(&saved, about, file.stream);
	wm_whole_file_end(&file);
}

/* Whether nothing that was asked for is there. */
static int judge(const struct wm_residual_view *view, const char *fail_if)
{
	struct wm_arena arena = {0};
	bool kinds[WM_RESIDUAL_KINDS] = {false};
	size_t found = 0;
	if (!fail_if)
		return 0;
	read_kinds(&arena, "--fail-if", fail_if, kinds);
	wm_arena_reset(&arena);
	for (size_t i = 0; i < WM_RESIDUAL_KINDS; i++)
		if (kinds[i] && i != WM_RESIDUAL_UNCERTAIN)
			found += view->residual->kinds[i];
	if (view->sides->tests->incomplete || view->sides->field->incomplete) {
		fprintf(stderr, "waymark: residual: counts were lost in a run, so --fail-if fails\n");
		return GATE_FAILED;
	}
	if (found == 0)
		return 0;
	fprintf(stderr, "waymark: residual: %zu untested path%s of the kinds %s\n", found,
		found == 1 ? "" : "s", fail_if);
	return GATE_FAILED;
}

int wm_command_residual(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct words words = {0};
	struct wm_error error;
	struct wm_residual residual;
	const struct wm_option options[] = {{"--tested", &words.tested, NULL},
		{"--kind", &words.kinds, NULL}, {"--top", &words.top, NULL},
		{"--json", NULL, &words.json}, {"--binary", &words.binary, NULL},
		{"--fail-if", &words.fail_if, NULL}, {"--accept", &words.accept, NULL},
		{"--accept-all", &words.accept_all, NULL}, {"--across", &words.across, NULL}};
	size_t count = (size_t)wm_options_parse(
		"residual", argc, argv, options, sizeof options / sizeof *options);
	if (words.across && strcmp(words.across, "shape") != 0)
		wm_fatal_usage("residual: --across='%s' is unknown: use shape", words.across);
	struct wm_residual_view view = {.residual = &residual, .colour = wm_paint_wanted(stdout)};
	view.top = words.top     ? wm_options_number("residual", "--top", words.top)
		   : words.json ? 0
				: 20;
	memset(view.kinds, words.kinds == NULL, sizeof view.kinds);
	if (words.kinds)
		read_kinds(&arena, "--kind", words.kinds, view.kinds);
	if (words.fail_if)
		read_kinds(&arena, "--fail-if", words.fail_if, (bool[WM_RESIDUAL_KINDS]){false});
	struct wm_ran_paths tests = read_tests(&arena, words.tested);
	struct wm_ran_paths field = wm_ran_paths_start(&arena);
	struct wm_ran_paths accepted = wm_ran_paths_start(&arena);
	char *accept = (char *)words.accept;
	size_t profile_count = count;
	for (size_t i = 1; i <= count; i++)
		if (wm_ran_words_is_set(argv[i]))
			wm_fatal_usage("residual: '%s' is a set of paths; of the field name "
				       "profiles, or their folder",
				argv[i]);
	struct wm_profile *profiles = wm_load_profiles(
		&arena, "residual", argv + 1, words.binary, &profile_count);
	wm_ran_words_add(&field, "residual", argv + 1, count, words.binary);
	warn_of_unwatched(profiles, profile_count);
	if (accept)
		wm_ran_words_add(&accepted, "residual", &accept, 1, NULL);
	const struct wm_residual_request request = {.tests = &tests,
		.field = &field,
		.accepted = accept ? &accepted : NULL,
		.profiles = profiles,
		.profile_count = profile_count,
		.across_shape = words.across != NULL};
	if (wm_residual_make(&arena, &request, &residual, &error) < 0)
		wm_fatal("residual: %s", error.text);
	if (residual.matched == 0 && residual.changed == 0 && tests.function_count > 0)
		wm_fatal("residual: no function of the tests is in the field's program: '%s' is "
			 "of another program",
			words.tested);
	struct wm_sources sources = wm_sources_of(&profiles[0].object);
	view.sides = &request;
	view.program = name_programs(&arena, profiles, profile_count);
	view.sources = &sources;
	if (words.json)
		wm_residual_view_json(&view, stdout);
	else
		wm_residual_view_print(&view, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the untested paths: %s", strerror(errno));
	if (words.accept_all)
		write_accepted(&arena, &residual, words.accept, words.accept_all);
	if (!words.json)
		wm_stale_warn("residual", &sources);
	int status = judge(&view, words.fail_if);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return status;
}
