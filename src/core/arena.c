/* Arena: chunks in a list, newest first.
 *
 * Small requests are cut off the newest chunk, and zeroed then: of a chunk that serves a small
 * function only what is used is ever touched. A large request gets a chunk of its own size, placed
 * behind the newest so that the room left there is not lost, and comes zeroed from the system.
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

static struct wm_arena_chunk *chunk_start(struct wm_arena_chunk *chunk, size_t capacity)
{
	if (!chunk)
		out_of_memory();
	chunk->next = NULL;
	chunk->used = 0;
	chunk->capacity = capacity;
	return chunk;
}

static void *large_piece(struct wm_arena *arena, size_t bytes)
{
	if (bytes > SIZE_MAX - sizeof(struct wm_arena_chunk))
		out_of_memory();
	struct wm_arena_chunk *chunk =
		chunk_start(calloc(1, sizeof(struct wm_arena_chunk) + bytes), bytes);
	struct wm_arena_chunk **place = arena->chunk ? &arena->chunk->next : &arena->chunk;
	chunk->used = bytes;
	chunk->next = *place;
	*place = chunk;
	return chunk->bytes;
}

static void *small_piece(struct wm_arena *arena, size_t bytes)
{
	struct wm_arena_chunk *chunk = arena->chunk;
	if (!chunk || bytes > chunk->capacity - chunk->used) {
		chunk = chunk_start(
			malloc(sizeof *chunk + ORDINARY_CHUNK_BYTES), ORDINARY_CHUNK_BYTES);
		chunk->next = arena->chunk;
		arena->chunk = chunk;
	}
	void *memory = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return memset(memory, 0, bytes);
}

void *wm_arena_alloc(struct wm_arena *arena, size_t count, size_t size)
{
	const size_t alignment = alignof(max_align_t);
	if (size && count > (SIZE_MAX - alignment) / size)
		out_of_memory();
	size_t bytes = (count * size + alignment - 1) / alignment * alignment;
	return bytes > ORDINARY_CHUNK_BYTES / 2 ? large_piece(arena, bytes)
						: small_piece(arena, bytes);
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
