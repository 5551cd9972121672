/* What --by names. An error ends the tool with one line, which starts with the command. */
#ifndef WM_CLI_METRICS_H
#define WM_CLI_METRICS_H

#include "export/data.h"

enum wm_metric wm_metric_find(const char *command, const char *name);

/* Says why the profile does not have the metric. */
_Noreturn void wm_metric_refuse(
	const char *command, const struct wm_export_data *data, enum wm_metric metric);

#endif
