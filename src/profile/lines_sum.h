/* Lines of several objects that were made from the same sources. */
#ifndef WM_PROFILE_LINES_SUM_H
#define WM_PROFILE_LINES_SUM_H

#include <stddef.h>

#include "core/base/arena.h"
#include "profile/lines.h"

/* Adds up the lines of all parts, which stay as they are. */
struct wm_lines wm_lines_sum(struct wm_arena *arena, const struct wm_lines *parts, size_t count);

#endif
