/* waymark flame: contexts as a flame graph, one SVG file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/metrics.h"
#include "cli/options.h"
#include "cli/shares.h"
#include "cli/whole_file.h"
#include "html/flame.h"

/* PROGRAM.svg in the working directory. */
static const char *default_output(struct wm_arena *arena, const struct wm_export_data *data)
{
	size_t bytes = strlen(data->parts[0].name) + sizeof ".svg";
	char *output = wm_arena_alloc(arena, bytes, 1);
	snprintf(output, bytes, "%s.svg", data->parts[0].name);
	return output;
}

static void refuse_unknown(const struct wm_export_data *data, enum wm_metric metric)
{
	const char *path = data->profile->file.path;
	if (!data->has_contexts)
		wm_fatal("flame: contexts were not counted in %s; build with "
			 "--profile=edges+context",
			path);
	if (!data->known[metric])
		wm_metric_refuse("flame", data, metric);
	if (data->total[metric] == 0)
		wm_fatal("flame: nothing is to be drawn: %s has no %s", path,
			wm_metric_texts[metric].name);
}

int wm_command_flame(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *output = NULL, *by = "calls", *min = "0.01%", *binary = NULL, *object = NULL;
	const struct wm_option options[] = {{"-o", &output, NULL}, {"--by", &by, NULL},
		{"--min", &min, NULL}, {"--binary", &binary, NULL}, {"--object", &object, NULL}};
	int words =
		wm_options_parse("flame", argc, argv, options, sizeof options / sizeof *options);
	const struct wm_flame_request request = {.version = WAYMARK_VERSION,
		.metric = wm_metric_find("flame", by),
		.min = wm_share_parse("flame", "--min", min)};
	const struct wm_profile *profile =
		wm_find_profile(&arena, "flame", argv + 1, (size_t)words, binary, object);
	const struct wm_export_data data = wm_export_data_make(&arena, profile);
	struct wm_whole_file file;
	refuse_unknown(&data, request.metric);
	wm_whole_file_begin(&file, output ? output : default_output(&arena, &data));
	wm_flame_write(&data, &request, file.stream);
	wm_whole_file_end(&file);
	wm_arena_reset(&arena);
	return 0;
}
