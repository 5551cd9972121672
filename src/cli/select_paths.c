/* A set is parsed once and asked of each profile; it knows afterwards what matched. */
#include "cli/select_paths.h"

#include <stdbool.h>

#include "cli/fatal.h"
#include "profile/path_filter.h"

void wm_select_paths(struct wm_arena *arena, const char *command, const char *text,
	struct wm_profile *profiles, size_t count)
{
	struct wm_path_set set;
	struct wm_error error;
	bool any = false;
	if (wm_path_set_parse(arena, text, &set, &error) < 0)
		wm_fatal_usage("%s: --select: %s", command, error.text);
	for (size_t i = 0; i < count; i++)
		if (wm_path_set_filter(arena, &set, &profiles[i], &error) < 0)
			wm_fatal("%s: --select: %s", command, error.text);
	for (size_t i = 0; i < set.item_count; i++)
		any |= set.items[i].fate == WM_PATH_FATE_MATCHED;
	if (wm_path_set_check(&set, true, &error) == 0)
		return;
	if (!any)
		wm_fatal("%s: --select: %s", command, error.text);
	wm_warn("%s: --select: %s", command, error.text);
}
