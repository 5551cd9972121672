/* waymark report --metric: which paths and functions cost most by what was read where paths end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/shares.h"
#include "cli/stale.h"
#include "report/costs_view.h"
#include "report/paint.h"

static void refuse(struct wm_arena *arena, const struct wm_profile *profile, const char *meter)
{
	const char *list = wm_costs_list_meters(arena, profile);
	if (list[0])
		wm_fatal("report: --metric=%s was not read in %s: it has %s", meter,
			profile->file.path, list);
	wm_fatal("report: --metric=%s: no metric was read in %s; build with "
		 "--profile=paths+metric:tsc",
		meter, profile->file.path);
}

int wm_command_costs(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_costs costs;
	const char *meter = NULL, *hot = "1%", *top = NULL, *binary = NULL, *object = NULL,
		   *names = "short";
	bool json = false;
	const struct wm_option options[] = {{"--metric", &meter, NULL}, {"--hot", &hot, NULL},
		{"--top", &top, NULL}, {"--binary", &binary, NULL}, {"--object", &object, NULL},
		{"--names", &names, NULL}, {"--json", NULL, &json}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	double percent = 100 * wm_share_parse("report", "--hot", hot);
	size_t rows = wm_options_number("report", "--top", top ? top : "10");
	const struct wm_profile *profile =
		wm_find_profile(&arena, "report", argv + 1, (size_t)left, binary, object);
	if (!wm_costs_find(&arena, profile, meter, percent, &costs))
		refuse(&arena, profile, meter);
	struct wm_sources sources = wm_sources_of(&profile->object);
	const struct wm_costs_view view = {.profile = profile,
		.costs = &costs,
		.meter = meter,
		.percent = percent,
		.top = json && !top ? 0 : rows,
		.colour = wm_paint_wanted(stdout),
		.names = wm_short_names_make(
			&arena, profile, wm_options_full_names("report", names)),
		.sources = &sources};
	if (json)
		wm_costs_view_json(&view, stdout);
	else
		wm_costs_view_print(&view, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
	wm_stale_warn("report", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return 0;
}
