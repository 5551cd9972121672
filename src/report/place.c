/* Places of blocks and functions. */
#include "report/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct wm_place wm_place_of_function(const struct wm_function *function)
{
	return (struct wm_place){function->scopes[0].file, function->scopes[0].line};
}

struct wm_place wm_place_of_block(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *source = &function->blocks[block];
	for (uint32_t i = 0; i < source->position_count; i++) {
		const struct wm_position *position =
			&function->positions[source->first_position + i];
		const char *file = function->scopes[position->scope].file;
		if (position->line && file[0])
			return (struct wm_place){file, position->line};
	}
	return (struct wm_place){"", 0};
}

const char *wm_place_text(struct wm_arena *arena, struct wm_place place)
{
	if (!place.file[0])
		return "-";
	const char *slash = strrchr(place.file, '/');
	const char *name = slash ? slash + 1 : place.file;
	if (!place.line)
		return name;
	size_t bytes = strlen(name) + 12;
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%s:%" PRIu32, name, place.line);
	return text;
}
