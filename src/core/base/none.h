/* The number that stands for no vertex, no edge, nothing. */
#ifndef WM_CORE_NONE_H
#define WM_CORE_NONE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

#define WM_NONE UINT32_MAX

/* An array of `count` numbers, all of them WM_NONE. */
uint32_t *wm_none_array(struct wm_arena *arena, size_t count);

#endif
