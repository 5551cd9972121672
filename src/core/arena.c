/* Arena: chunks of zeroed memory in a list, newest first.
 *
 * A request that does not fit the newest chunk gets a new one; a large request gets a chunk of its
 * own size, placed behind the newest so that the room left there is not lost.
 */
#include "core/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDINARY_CHUNK_BYTES = 16 * 1024 };

struct wm_arena_chunk {
	struct wm_arena_chunk *next;
	size_t used;
	size_t capacity;
	alignas(max_align_t) unsigned char bytes[];
};

static _Noreturn void out_of_memory(void)
{
	fputs("waymark: out of memory: free some, or profile fewer functions at a time\n", stderr);
	exit(1);
}

static struct wm_arena_chunk *chunk_make(size_t capacity)
{
	if (capacity > SIZE_MAX - sizeof(struct wm_arena_chunk))
		out_of_memory();
	struct wm_arena_chunk *chunk = calloc(1, sizeof *chunk + capacity);
	if (!chunk)
		out_of_memory();
	chunk->capacity = capacity;
	return chunk;
}

static struct wm_arena_chunk *chunk_with_room(struct wm_arena *arena, size_t bytes)
{
	struct wm_arena_chunk *newest = arena->chunk;
	if (newest && bytes <= newest->capacity - newest->used)
		return newest;
	if (newest && bytes > ORDINARY_CHUNK_BYTES / 2) {
		struct wm_arena_chunk *large = chunk_make(bytes);
		large->next = newest->next;
		newest->next = large;
		return large;
	}
	struct wm_arena_chunk *chunk =
		chunk_make(bytes > ORDINARY_CHUNK_BYTES ? bytes : ORDINARY_CHUNK_BYTES);
	chunk->next = newest;
	arena->chunk = chunk;
	return chunk;
}

void *wm_arena_alloc(struct wm_arena *arena, size_t count, size_t size)
{
	const size_t alignment = alignof(max_align_t);
	if (size && count > (SIZE_MAX - alignment) / size)
		out_of_memory();
	size_t bytes = (count * size + alignment - 1) / alignment * alignment;
	struct wm_arena_chunk *chunk = chunk_with_room(arena, bytes);
	void *memory = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return memory;
}

void *wm_arena_grow(
	struct wm_arena *arena, void *array, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 8;
	void *larger = wm_arena_alloc(arena, *capacity, size);
	if (count)
		memcpy(larger, array, count * size);
	return larger;
}

char *wm_arena_copy_text(struct wm_arena *arena, const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(wm_arena_alloc(arena, bytes, 1), text, bytes);
}

void wm_arena_reset(struct wm_arena *arena)
{
	while (arena->chunk) {
		struct wm_arena_chunk *chunk = arena->chunk;
		arena->chunk = chunk->next;
		free(chunk);
	}
}
