/* The whole program is asked, not each object: most files of a project match no pattern, and a line
 * for each would hide the one that matters. */
#include "cli/selection_check.h"

#include <string.h>

#include "cli/fatal.h"
#include "format/description.h"
#include "format/plugin_options.h"
#include "profile/elf_file.h"

static bool is_known_to_count_nothing(const char *path)
{
	struct wm_elf file;
	struct wm_error error;
	size_t bytes = 0;
	bool is_elf = wm_elf_open(&file, path, &error) == 0;
	bool counts = is_elf && wm_elf_contents(&file, WM_DESCRIPTION_SECTION, &bytes);
	wm_elf_close(&file);
	return is_elf && !(counts && bytes > 0);
}

/* What was asked for, in the order of the command line: the list has the last first. */
static const struct wm_pattern *first_only(const struct wm_pattern *patterns)
{
	const struct wm_pattern *found = NULL;
	for (; patterns; patterns = patterns->next)
		if (!patterns->skip)
			found = patterns;
	return found;
}

static void warn(const char *output, const struct wm_pattern *patterns)
{
	const struct wm_pattern *only = first_only(patterns);
	if (only)
		wm_warn("'%s' counts nothing: none of its functions is chosen by --only=%s; "
			"patterns are compared with the names that nm prints",
			output, only->glob);
	else
		wm_warn("'%s' counts nothing: none of its functions is left by --skip=%s", output,
			patterns->glob);
}

void wm_selection_check(const char *plugin_options, const char *output)
{
	if (!is_known_to_count_nothing(output))
		return;
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	if (wm_plugin_options_parse(&arena, plugin_options, &options, &error) == 0)
		warn(output, options.patterns);
	wm_arena_reset(&arena);
}
