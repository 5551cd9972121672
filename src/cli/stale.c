/* A line per file: counts are exact whatever the text is, so they are shown all the same. */
#include "cli/stale.h"

#include "cli/fatal.h"

void wm_stale_warn(const char *command, const struct wm_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct wm_source_text *text = sources->list[i];
		if (text->state == WM_SOURCE_TEXT_CHANGED)
			wm_warn("%s: %s has changed since %s was built: its lines may not fit",
				command, text->path, sources->object->path);
		if (text->state == WM_SOURCE_TEXT_NEWER)
			wm_warn("%s: %s is newer than %s: its lines may not fit", command,
				text->path, sources->object->path);
	}
}
