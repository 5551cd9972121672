/* waymark paths: the paths of one function that ran. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/stale.h"
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

static void print_text(const struct wm_profile_function *const *functions, size_t count, size_t top,
	const struct wm_short_names *names, struct wm_sources *sources)
{
	const struct wm_view_request request = {
		.top = top, .colour = wm_paint_wanted(stdout), .names = names, .sources = sources};
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			putchar('\n');
		wm_path_view_print_function(functions[i], &request, stdout);
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

int wm_command_paths(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *top = "20", *binary = NULL, *object = NULL, *names = "short";
	bool json = false;
	const struct wm_option options[] = {{"--top", &top, NULL}, {"--json", NULL, &json},
		{"--binary", &binary, NULL}, {"--names", &names, NULL},
		{"--object", &object, NULL}};
	int words =
		wm_options_parse("paths", argc, argv, options, sizeof options / sizeof *options);
	size_t rows = wm_options_number("paths", "--top", top), count;
	bool full = wm_options_full_names("paths", names);
	if (words == 0)
		wm_fatal_usage("paths: which function? waymark paths FUNCTION [FILE.wmk]");
	const struct wm_profile *profile =
		wm_find_profile(&arena, "paths", argv + 2, (size_t)words - 1, binary, object);
	const struct wm_profile_function **functions =
		wm_find_functions(&arena, "paths", profile, argv[1], &count);
	keep_counted(functions, &count, argv[1]);
	struct wm_sources sources = wm_sources_of(&profile->object);
	if (json)
		print_json(profile, functions, count, rows);
	else
		print_text(functions, count, rows, wm_short_names_make(&arena, profile, full),
			&sources);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the paths: %s", strerror(errno));
	wm_stale_warn("paths", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return 0;
}
