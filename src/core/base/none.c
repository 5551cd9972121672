/* Nothing: see the header. */
#include "core/base/none.h"

uint32_t *wm_none_array(struct wm_arena *arena, size_t count)
{
	uint32_t *array = wm_arena_alloc_unset(arena, count, sizeof *array);
	for (size_t i = 0; i < count; i++)
		array[i] = WM_NONE;
	return array;
}
