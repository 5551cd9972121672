/* waymark residual: the paths that ran in the field and in no test. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/ran_words.h"
#include "cli/residual_sides.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "profile/objects.h"
#include "report/paint.h"
#include "report/residual_view.h"

enum { GATE_FAILED = 3 };

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
		wm_ran_words_add(&all, "residual", &word, 1, NULL, "test");
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
	struct wm_residual_sides sides = {.tested = words.tested,
		.accept = words.accept,
		.across_shape = words.across != NULL,
		.binary = words.binary};
	wm_residual_sides_read(&arena, "residual", argv + 1, count, &sides, &residual);
	struct wm_sources sources = wm_sources_of(&sides.profiles[0].object);
	view.sides = &sides.request;
	view.program = name_programs(&arena, sides.profiles, sides.profile_count);
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
