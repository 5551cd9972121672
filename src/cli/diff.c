/* waymark diff: what changed from one profile to another, of one program or of two builds. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/select_paths.h"
#include "cli/stale.h"
#include "report/diff_view.h"
#include "report/paint.h"
#include "report/tree_diff.h"

static void load(struct wm_arena *arena, char *word, const char *binary, const char *option,
	struct wm_profile *profile)
{
	struct wm_found_files found;
	struct wm_file file;
	wm_find_files(arena, &word, 1, &found);
	if (found.count > 1)
		wm_fatal_usage("diff: '%s' holds %zu profiles; name one, or add them up with "
			       "waymark merge",
			word, found.count);
	const char *path = found.files[0].path;
	binary = binary ? binary : found.files[0].binary;
	wm_load_file(arena, path, &file);
	wm_load_profile_of(arena, &file, binary, option, profile);
}

static struct wm_tree make_tree(struct wm_arena *arena, const struct wm_profile *profile)
{
	struct wm_profile_contexts *contexts = wm_arena_alloc(arena, 1, sizeof *contexts);
	*contexts = wm_profile_contexts_find(arena, profile);
	if (!contexts->counted)
		wm_fatal("diff: contexts were not counted in %s; build with "
			 "--profile=edges+context",
			profile->file.path);
	return wm_tree_make(arena, profile, contexts, false);
}

/* Contexts of the program, or of the object that was chosen. */
static void diff_contexts(struct wm_arena *arena, const struct wm_profile *sides,
	const struct wm_view_request *request, bool json)
{
	const struct wm_tree before = make_tree(arena, sides[0].parts);
	const struct wm_tree after = make_tree(arena, sides[1].parts);
	const struct wm_tree_diff diff = wm_tree_diff_make(arena, &before, &after);
	if (json)
		wm_tree_diff_json(&diff, request->top, stdout);
	else
		wm_tree_diff_print(&diff, request->top, request->colour, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the comparison: %s", strerror(errno));
}

int wm_command_diff(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_profile sides[2], *before = &sides[0], *after = &sides[1];
	const char *top = NULL, *names = "short", *select = NULL, *old_binary = NULL,
		   *new_binary = NULL, *object = NULL;
	bool json = false, contexts = false;
	const struct wm_option options[] = {{"--top", &top, NULL}, {"--json", NULL, &json},
		{"--contexts", NULL, &contexts}, {"--old-binary", &old_binary, NULL},
		{"--new-binary", &new_binary, NULL}, {"--names", &names, NULL},
		{"--select", &select, NULL}, {"--object", &object, NULL}};
	int words = wm_options_parse("diff", argc, argv, options, sizeof options / sizeof *options);
	struct wm_view_request request = {
		.top = wm_options_number("diff", "--top", top ? top : "20"),
		.chosen = select != NULL,
		.colour = wm_paint_wanted(stdout)};
	if (json && !top)
		request.top = 0;
	bool full = wm_options_full_names("diff", names);
	if (words != 2)
		wm_fatal_usage("diff: name two profiles: waymark diff OLD.wmk NEW.wmk");
	load(&arena, argv[1], old_binary, "--old-binary", before);
	load(&arena, argv[2], new_binary, "--new-binary", after);
	wm_load_choose_object(&arena, "diff", before, object);
	wm_load_choose_object(&arena, "diff", after, object);
	if (contexts) {
		if (select || full)
			wm_fatal_usage(
				"diff: --contexts has no %s", select ? "--select" : "--names");
		diff_contexts(&arena, sides, &request, json);
		wm_arena_reset(&arena);
		return 0;
	}
	wm_load_refuse_uncounted("diff", before);
	wm_load_refuse_uncounted("diff", after);
	if (select)
		wm_select_paths(&arena, "diff", select, sides, 2);
	struct wm_sources sources = wm_sources_of(&after->object);
	request.sources = &sources;
	request.names = wm_short_names_make(&arena, after, full);
	request.old_names = wm_short_names_make(&arena, before, full);
	if (json)
		wm_diff_view_json(before, after, &request, stdout);
	else
		wm_diff_view_print(before, after, &request, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the comparison: %s", strerror(errno));
	wm_stale_warn("diff", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return 0;
}
