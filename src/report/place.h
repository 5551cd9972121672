/* Where in the source a block stands. */
#ifndef WM_REPORT_PLACE_H
#define WM_REPORT_PLACE_H

#include <stdint.h>

#include "core/base/arena.h"
#include "format/description.h"

struct wm_place {
	const char *file; /* empty: unknown */
	uint32_t line;	  /* 0: unknown */
};

/* Where the function starts. */
struct wm_place wm_place_of_function(const struct wm_function *function);

/* The first line of the block that is known: of inlined code, where that code is written. */
struct wm_place wm_place_of_block(const struct wm_function *function, uint32_t block);

/* FILE:LINE, FILE, or a dash; FILE without the folders in front of it. Lives in the arena. */
const char *wm_place_text(struct wm_arena *arena, struct wm_place place);

#endif
