/* waymark report --correlated: branches that an earlier branch on the same path decides. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "report/correlated_view.h"
#include "report/paint.h"

struct words {
	const char *top, *at_least, *binary, *object;
	bool json;
};

/* At 50 % either outcome of a branch could be the one that is decided. */
static double parse_percent(const char *text)
{
	char *end;
	double percent = strtod(text, &end);
	if (end != text && *end == '%')
		end++;
	if (end == text || *end || !(percent > 50 && percent <= 100))
		wm_fatal_usage("report: --at-least='%s': a share above 50 and up to 100, such as "
			       "99.5",
			text);
	return percent;
}

static void check_counted(const struct wm_profile *profile, const struct wm_correlated *found)
{
	if (found->functions == 0)
		wm_fatal("report: --correlated: paths were not counted in %s; build with "
			 "--profile=paths",
			profile->file.path);
}

/* `report` with this option among its words. */
int wm_command_correlated(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_correlated found;
	struct words words = {.at_least = "100"};
	const struct wm_option options[] = {{"--correlated", NULL, NULL},
		{"--top", &words.top, NULL}, {"--at-least", &words.at_least, NULL},
		{"--binary", &words.binary, NULL}, {"--object", &words.object, NULL},
		{"--json", NULL, &words.json}};
	int left =
		wm_options_parse("report", argc, argv, options, sizeof options / sizeof *options);
	const char *top = words.top ? words.top : "10";
	size_t rows = wm_options_number("report", "--top", top);
	double percent = parse_percent(words.at_least);
	const struct wm_profile *profile = wm_find_profile(
		&arena, "report", argv + 1, (size_t)left, words.binary, words.object);
	wm_correlated_find(&arena, profile, percent, &found);
	check_counted(profile, &found);
	struct wm_sources sources = wm_sources_of(&profile->object);
	const struct wm_correlated_view view = {.profile = profile,
		.found = &found,
		.percent = percent,
		.top = words.json && !words.top ? 0 : rows,
		.colour = wm_paint_wanted(stdout),
		.sources = &sources};
	if (words.json)
		wm_correlated_view_json(&view, stdout);
	else
		wm_correlated_view_print(&view, stdout);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the report: %s", strerror(errno));
	wm_stale_warn("report", &sources);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return 0;
}
