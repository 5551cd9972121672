/* waymark tree: in which contexts functions were called. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_context.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/shares.h"
#include "report/paint.h"
#include "report/tree_shape.h"
#include "report/tree_view.h"

struct words {
	const char *min, *depth, *top, *focus, *by, *metric, *binary, *object;
	bool json, inverted, statistics, list, functions, gprof;
};

/* At most one of the views. */
static void refuse_views(const struct words *words)
{
	const struct {
		const char *name;
		bool chosen, whole; /* of the whole tree */
	} views[] = {{"--json", words->json, true}, {"--statistics", words->statistics, true},
		{"--functions", words->functions, true}, {"--gprof", words->gprof, true},
		{"--list", words->list, false}, {"--inverted", words->inverted, false}};
	const char *chosen = NULL;
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		if (!views[i].chosen)
			continue;
		if (chosen)
			wm_fatal_usage(
				"tree: %s and %s are two views; choose one", chosen, views[i].name);
		chosen = views[i].name;
		if (views[i].whole && words->focus)
			wm_fatal_usage(
				"tree: %s is of the whole tree, without --focus", views[i].name);
	}
	if (words->by && (words->statistics || words->gprof))
		wm_fatal_usage("tree: %s has no --by: it shows both",
			words->statistics ? "--statistics" : "--gprof");
}

static struct words parse(int *argc, char **argv)
{
	struct words words = {.min = "1%", .depth = "1000", .top = "20"};
	const struct wm_option options[] = {{"--min", &words.min, NULL},
		{"--depth", &words.depth, NULL}, {"--top", &words.top, NULL},
		{"--focus", &words.focus, NULL}, {"--by", &words.by, NULL},
		{"--metric", &words.metric, NULL}, {"--inverted", NULL, &words.inverted},
		{"--list", NULL, &words.list}, {"--functions", NULL, &words.functions},
		{"--gprof", NULL, &words.gprof}, {"--statistics", NULL, &words.statistics},
		{"--json", NULL, &words.json}, {"--binary", &words.binary, NULL},
		{"--object", &words.object, NULL}};
	*argc = wm_options_parse("tree", *argc, argv, options, sizeof options / sizeof *options);
	refuse_views(&words);
	return words;
}

static bool is_by_function(const char *by)
{
	if (by && strcmp(by, "site") != 0 && strcmp(by, "function") != 0)
		wm_fatal_usage("tree: --by='%s' is unknown: use site or function", by);
	return by && strcmp(by, "function") == 0;
}

/* Rows have a share of what the metric counts. */
static void use_metric(struct wm_arena *arena, struct wm_tree *tree, const char *metric)
{
	struct wm_event_kind kind;
	if (!metric || strcmp(metric, "calls") == 0)
		return;
	if (!wm_event_kind_parse(arena, metric, &kind) || kind.event >= WM_EVENT_CALLS)
		wm_fatal_usage("tree: --metric='%s' is unknown: use calls, instructions, blocks, "
			       "branches, loads or stores",
			metric);
	tree->own = wm_tree_figures(arena, tree, &kind);
	tree->metric = kind.name;
	if (!tree->own)
		wm_fatal("tree: %s were not counted by context in %s; build with "
			 "--profile=edges+context",
			metric, tree->profile->file.path);
}

static void print(const struct wm_tree *tree, const struct words *words,
	const struct wm_tree_request *request)
{
	if (words->json)
		wm_tree_json_write(tree, stdout);
	else if (words->statistics)
		wm_tree_shape_print(tree, request->colour, stdout);
	else if (words->functions)
		wm_tree_functions_print(tree, request, stdout);
	else if (words->gprof)
		wm_tree_gprof_print(tree, request, stdout);
	else if (words->list)
		wm_tree_list_print(tree, request, stdout);
	else if (words->inverted)
		wm_tree_inverted_print(tree, request, stdout);
	else
		wm_tree_view_print(tree, request, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the tree: %s", strerror(errno));
}

int wm_command_tree(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const struct words words = parse(&argc, argv);
	struct wm_tree_request request = {.min = wm_share_parse("tree", "--min", words.min),
		.depth = (uint32_t)wm_options_number("tree", "--depth", words.depth),
		.top = wm_options_number("tree", "--top", words.top),
		.colour = wm_paint_wanted(stdout)};
	bool by_function = is_by_function(words.by);
	const struct wm_profile *profile =
		wm_find_profile(&arena, "tree", argv + 1, (size_t)argc, words.binary, words.object)
			->parts;
	const struct wm_profile_contexts contexts = wm_profile_contexts_find(&arena, profile);
	if (!contexts.counted)
		wm_fatal(
			"tree: contexts were not counted in %s; build with --profile=edges+context",
			profile->file.path);
	struct wm_tree tree = wm_tree_make(&arena, profile, &contexts, by_function);
	use_metric(&arena, &tree, words.metric);
	if (words.focus)
		request.focus = wm_find_contexts(&arena, "tree", &tree, words.focus);
	print(&tree, &words, &request);
	wm_arena_reset(&arena);
	return 0;
}
