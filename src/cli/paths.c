/* waymark paths: the paths of one function that ran, or that never did; and sets of paths, saved. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/ran_words.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "profile/path_selection.h"
#include "report/not_run.h"
#include "report/paint.h"
#include "report/path_json.h"
#include "report/path_view.h"

static void print_json(const struct wm_profile *profile,
	const struct wm_profile_function *const *functions, size_t count, size_t top)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "paths");
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < count; i++)
		wm_path_json_function(&json, functions[i], top);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void print_text(const struct wm_profile_function *const *functions, size_t count,
	const struct wm_view_request *request)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			putchar('\n');
		wm_path_view_print_function(functions[i], request, stdout);
	}
}

static void keep_counted(
	const struct wm_profile_function **functions, size_t *count, const char *name)
{
	size_t all = *count;
	*count = 0;
	for (size_t i = 0; i < all; i++)
		if (functions[i]->paths)
			functions[(*count)++] = functions[i];
	if (*count == 0)
		wm_fatal("paths: the paths of %s were not counted; build with --profile=paths",
			name);
}

static struct wm_not_run find_not_run(
	struct wm_arena *arena, const struct wm_profile_function *function)
{
	struct wm_error error;
	struct wm_not_run result;
	if (wm_path_selection_is_made(function))
		wm_fatal("paths: only selected paths of %s were counted: nothing is known of "
			 "others",
			function->function->name);
	if (wm_not_run_make(arena, function, &result, &error) < 0)
		wm_fatal("paths: %s: %s", function->function->name, error.text);
	return result;
}

static void print_not_run_json(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_function *const *functions, size_t count, size_t top)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "not-run");
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < count; i++) {
		struct wm_not_run result = find_not_run(arena, functions[i]);
		wm_not_run_json(&json, functions[i], &result, top);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void print_not_run(struct wm_arena *arena,
	const struct wm_profile_function *const *functions, size_t count,
	const struct wm_view_request *request)
{
	for (size_t i = 0; i < count; i++) {
		struct wm_not_run result = find_not_run(arena, functions[i]);
		if (i > 0)
			putchar('\n');
		wm_not_run_print(functions[i], &result, request, stdout);
	}
}

/* Writes all paths of the profiles that certainly ran. */
static int save(char **words, size_t count, const char *binary, const char *output)
{
	struct wm_arena arena = {0};
	struct wm_ran_paths ran = wm_ran_paths_start(&arena);
	struct wm_whole_file file;
	size_t left_out;
	char about[80];
	wm_ran_words_add(&ran, "paths", words, count, binary, "test");
	const struct wm_saved_paths saved = wm_ran_paths_save(&arena, &ran, &left_out);
	if (saved.count == 0)
		wm_fatal("paths: no path ran: there is nothing to save");
	snprintf(about, sizeof about, "%zu functions, %llu runs", saved.count,
		(unsigned long long)ran.runs);
	if (left_out > 0)
		wm_warn("paths: %zu path%s left out: threads that were killed may have counted "
			"what never ran",
			left_out, left_out == 1 ? " is" : "s are");
	if (ran.incomplete)
		wm_warn("paths: counts were lost in a run; the set may lack paths");
	wm_whole_file_begin(&file, output);
	wm_saved_paths_write(&saved, about, file.stream);
	wm_whole_file_end(&file);
	wm_arena_reset(&arena);
	return 0;
}

int wm_command_paths(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *top = "20", *binary = NULL, *object = NULL, *names = "short",
		   *output = NULL;
	bool json = false, not_run = false;
	const struct wm_option options[] = {{"--top", &top, NULL}, {"--json", NULL, &json},
		{"--binary", &binary, NULL}, {"--names", &names, NULL},
		{"--object", &object, NULL}, {"--not-run", NULL, &not_run},
		{"--save", &output, NULL}};
	int words =
		wm_options_parse("paths", argc, argv, options, sizeof options / sizeof *options);
	size_t rows = wm_options_number("paths", "--top", top), count;
	bool full = wm_options_full_names("paths", names);
	if (output)
		return save(argv + 1, (size_t)words, binary, output);
	if (words == 0)
		wm_fatal_usage("paths: which function? waymark paths FUNCTION [FILE.wmk]");
	const struct wm_profile *profile =
		wm_find_profile(&arena, "paths", argv + 2, (size_t)words - 1, binary, object);
	const struct wm_profile_function **functions =
		wm_find_functions(&arena, "paths", profile, argv[1], &count);
	keep_counted(functions, &count, argv[1]);
	struct wm_sources sources = wm_sources_of(&profile->object);
	const struct wm_view_request request = {.top = rows,
		.colour = wm_paint_wanted(stdout),
		.names = wm_short_names_make(&arena, profile, full),
		.sources = &sources};
	if (not_run && json)
		print_not_run_json(&arena, profile, functions, count, rows);
	else if (not_run)
		print_not_run(&arena, functions, count, &request);
	else if (json)
		print_json(profile, functions, count, rows);
	else
		print_text(functions, count, &request);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the paths: %s", strerror(errno));
	wm_stale_warn("paths", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return 0;
}
