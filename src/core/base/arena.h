/* Arena: memory that is handed out piece by piece and given back at once.
 *
 * One function's graphs and plans live in one arena and die with one reset. An arena that runs out
 * of memory ends the tool with one line: `core` is never linked into a user's program.
 */
#ifndef WM_CORE_ARENA_H
#define WM_CORE_ARENA_H

#include <stddef.h>

struct wm_arena_chunk;

struct wm_arena {
	struct wm_arena_chunk *chunk; /* newest chunk first */
};

/* Zeroed memory for count elements of size bytes, aligned for any type. The product is checked. */
void *wm_arena_alloc(struct wm_arena *arena, size_t count, size_t size);

/* The same, not zeroed: for arrays that are filled before they are read. */
void *wm_arena_alloc_unset(struct wm_arena *arena, size_t count, size_t size);

/* Room for one more element behind `count`: the array itself, or, if it is full, a copy that is
 * twice as large. Starts with NULL and a capacity of 0. */
void *wm_arena_grow(
	struct wm_arena *arena, void *array, size_t count, size_t *capacity, size_t size);

/* A copy of the text that lives as long as the arena. */
char *wm_arena_copy_text(struct wm_arena *arena, const char *text);

/* Gives everything back; the arena may be used again. A zeroed struct is a valid empty arena. */
void wm_arena_reset(struct wm_arena *arena);

#endif
