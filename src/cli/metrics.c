/* Metrics by the names that people type. */
#include "cli/metrics.h"

#include <string.h>

#include "cli/fatal.h"

enum wm_metric wm_metric_find(const char *command, const char *name)
{
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (strcmp(wm_metric_texts[metric].name, name) == 0)
			return metric;
	wm_fatal_usage("%s: --by='%s' is unknown: use calls or instructions", command, name);
}

_Noreturn void wm_metric_refuse(
	const char *command, const struct wm_export_data *data, enum wm_metric metric)
{
	const char *path = data->profile->file.path, *name = wm_metric_texts[metric].name;
	if (data->has_contexts && data->functions_known)
		wm_fatal("%s: %s were not counted by context in %s; `waymark export "
			 "--to=callgrind` has them by function",
			command, name, path);
	if (data->has_contexts)
		wm_fatal("%s: %s were not counted by context in %s", command, name, path);
	wm_fatal("%s: %s are not known of all functions in %s: the build chose some paths only",
		command, name, path);
}
