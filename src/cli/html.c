/* waymark html: a profile, or the comparison of two, as a page that people open in a browser. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "html/html.h"

enum { MAX_SIDES = 2 };

struct words {
	const char *output, *binary, *old_binary, *object;
	bool no_source, no_graphs;
};

static struct words parse(int *argc, char **argv)
{
	struct words words = {.output = NULL};
	const struct wm_option options[] = {{"-o", &words.output, NULL},
		{"--binary", &words.binary, NULL}, {"--old-binary", &words.old_binary, NULL},
		{"--object", &words.object, NULL}, {"--no-source", NULL, &words.no_source},
		{"--no-graphs", NULL, &words.no_graphs}};
	*argc = wm_options_parse("html", *argc, argv, options, sizeof options / sizeof *options);
	if (*argc > MAX_SIDES)
		wm_fatal_usage("html: name one profile, or two to compare: waymark html OLD.wmk "
			       "NEW.wmk; `waymark merge` adds profiles up");
	if (words.old_binary && *argc < MAX_SIDES)
		wm_fatal_usage("html: --old-binary is for a comparison of two profiles");
	return words;
}

/* PROGRAM.html in the working directory. */
static const char *default_output(struct wm_arena *arena, const struct wm_profile *profile)
{
	const char *slash = strrchr(profile->object.path, '/');
	const char *name = slash ? slash + 1 : profile->object.path;
	char *output = wm_arena_alloc(arena, strlen(name) + sizeof ".html", 1);
	sprintf(output, "%s.html", name);
	return output;
}

static void say_where(const char *output)
{
	struct stat status;
	if (strcmp(output, "-") == 0 || stat(output, &status) != 0 || !S_ISREG(status.st_mode))
		return;
	printf("%s: %.1f MB; open it in a browser\n", output, (double)status.st_size / 1e6);
}

static void write_page(const struct wm_html_request *request, const char *output)
{
	struct wm_whole_file file;
	struct wm_error error;
	wm_whole_file_begin(&file, output);
	if (wm_html_write(request, file.stream, &error) < 0)
		wm_fatal("html: %s", error.text);
	wm_whole_file_end(&file);
	say_where(output);
}

int wm_command_html(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_sources sources[MAX_SIDES];
	struct words words = parse(&argc, argv);
	struct wm_html_request request = {.version = WAYMARK_VERSION,
		.now = time(NULL),
		.with_sources = !words.no_source,
		.with_graphs = !words.no_graphs,
		.side_count = argc == MAX_SIDES ? MAX_SIDES : 1};
	for (size_t i = 0; i < request.side_count; i++) {
		bool old = i + 1 < request.side_count;
		const struct wm_profile *profile = wm_find_profile(&arena, "html", argv + 1 + i,
			argc > 0, old ? words.old_binary : words.binary, words.object);
		if (wm_load_counted_instead(profile) != WM_QUANTITY_CONTEXT)
			wm_load_refuse_uncounted("html", profile);
		sources[i] = wm_sources_of(&profile->object);
		request.sides[i] = (struct wm_html_side){
			profile, &sources[i], wm_short_names_make(&arena, profile, false)};
	}
	const struct wm_profile *shown = request.sides[request.side_count - 1].profile;
	write_page(&request, words.output ? words.output : default_output(&arena, shown));
	wm_stale_warn("html", &sources[request.side_count - 1]);
	for (size_t i = 0; i < request.side_count; i++)
		wm_sources_free(&sources[i]);
	wm_arena_reset(&arena);
	return 0;
}
