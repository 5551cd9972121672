/* The source lines that a block runs through. */
#ifndef WM_NAMES_BLOCK_LINES_H
#define WM_NAMES_BLOCK_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "format/description.h"

struct wm_block_line {
	const char *file;
	uint32_t line;
	bool call; /* holds only the call of code that was inlined: that code has its own lines */
	bool own;  /* in the function's own file, and no call between it and some code is */
};

/* The lines that are known, in the order of the code, each once; behind those of inlined code the
 * lines of the calls that brought it there. Lives in the arena. */
const struct wm_block_line *wm_block_lines(
	struct wm_arena *arena, const struct wm_function *function, uint32_t block, size_t *count);

/* Whether the word names the file: by its whole path, or by the end of it from a slash on. */
bool wm_block_lines_names_file(const char *word, const char *path);

#endif
