/* waymark tree: in which contexts functions were called. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/shares.h"
#include "report/paint.h"
#include "report/tree_shape.h"
#include "report/tree_view.h"

struct words {
	const char *min, *depth, *focus, *binary, *object;
	bool json, inverted, statistics;
};

static struct words parse(int *argc, char **argv)
{
	struct words words = {.min = "1%", .depth = "1000"};
	const struct wm_option options[] = {{"--min", &words.min, NULL},
		{"--depth", &words.depth, NULL}, {"--focus", &words.focus, NULL},
		{"--inverted", NULL, &words.inverted}, {"--statistics", NULL, &words.statistics},
		{"--json", NULL, &words.json}, {"--binary", &words.binary, NULL},
		{"--object", &words.object, NULL}};
	*argc = wm_options_parse("tree", *argc, argv, options, sizeof options / sizeof *options);
	const char *chosen = words.inverted ? "--inverted" : words.focus ? "--focus" : NULL;
	if (chosen && (words.json || words.statistics))
		wm_fatal_usage("tree: %s is of the whole tree, without %s",
			words.json ? "--json" : "--statistics", chosen);
	return words;
}

static const bool *find_focus(
	struct wm_arena *arena, const struct wm_profile *profile, const char *name)
{
	if (!name)
		return NULL;
	size_t count;
	const struct wm_profile_function **found =
		wm_find_functions(arena, "tree", profile, name, &count);
	bool *focus = wm_arena_alloc(arena, profile->function_count, sizeof *focus);
	for (size_t i = 0; i < count; i++)
		focus[found[i] - profile->functions] = true;
	return focus;
}

static void print(const struct wm_profile *profile, const struct wm_profile_contexts *contexts,
	const struct words *words, const struct wm_tree_request *request)
{
	if (words->json)
		wm_tree_json_write(profile, contexts, stdout);
	else if (words->statistics)
		wm_tree_shape_print(profile, &contexts->tree, request->colour, stdout);
	else if (words->inverted)
		wm_tree_inverted_print(profile, contexts, request, stdout);
	else
		wm_tree_view_print(profile, contexts, request, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the tree: %s", strerror(errno));
}

int wm_command_tree(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const struct words words = parse(&argc, argv);
	struct wm_tree_request request = {.min = wm_share_parse("tree", "--min", words.min),
		.depth = (uint32_t)wm_options_number("tree", "--depth", words.depth),
		.colour = wm_paint_wanted(stdout)};
	const struct wm_profile *profile =
		wm_find_profile(&arena, "tree", argv + 1, (size_t)argc, words.binary, words.object)
			->parts;
	const struct wm_profile_contexts contexts = wm_profile_contexts_find(&arena, profile);
	if (!contexts.counted)
		wm_fatal(
			"tree: contexts were not counted in %s; build with --profile=edges+context",
			profile->file.path);
	request.focus = find_focus(&arena, profile, words.focus);
	print(profile, &contexts, &words, &request);
	wm_arena_reset(&arena);
	return 0;
}
