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
#include "report/tree_view.h"

int wm_command_tree(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *min = "1%", *depth = "1000", *binary = NULL, *object = NULL;
	bool json = false;
	const struct wm_option options[] = {{"--min", &min, NULL}, {"--depth", &depth, NULL},
		{"--json", NULL, &json}, {"--binary", &binary, NULL}, {"--object", &object, NULL}};
	int words = wm_options_parse("tree", argc, argv, options, sizeof options / sizeof *options);
	const struct wm_tree_request request = {.min = wm_share_parse("tree", "--min", min),
		.depth = (uint32_t)wm_options_number("tree", "--depth", depth),
		.colour = wm_paint_wanted(stdout)};
	const struct wm_profile *profile =
		wm_find_profile(&arena, "tree", argv + 1, (size_t)words, binary, object)->parts;
	struct wm_profile_contexts contexts = wm_profile_contexts_find(&arena, profile);
	if (!contexts.counted)
		wm_fatal(
			"tree: contexts were not counted in %s; build with --profile=edges+context",
			profile->file.path);
	if (json)
		wm_tree_json_write(profile, &contexts, stdout);
	else
		wm_tree_view_print(profile, &contexts, &request, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the tree: %s", strerror(errno));
	wm_arena_reset(&arena);
	return 0;
}
