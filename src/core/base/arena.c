/* Arena: chunks in a list, newest first.
 *
 * Small requests are cut off the newest chunk and zeroed then, so a small function touches only the
 * part of a chunk that it uses. A large request gets a chunk of its own size. This is placed behind
 * the newest, so that the room left there is not lost. Fresh from the system, it is zero without
 * being touched. */
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
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

static void *large_piece(struct wm_arena *arena, size_t bytes, bool zeroed)
{
	size_t whole = sizeof(struct wm_arena_chunk) + bytes;
	if (whole < bytes)
		out_of_memory();
	struct wm_arena_chunk *chunk =
		chunk_start(zeroed ? calloc(1, whole) : malloc(whole), bytes);
	struct wm_arena_chunk **place = arena->chunk ? &arena->chunk->next : &arena->chunk;
	chunk->used = bytes;
	chunk->next = *place;
	*place = chunk;
	return chunk->bytes;
}

static void *small_piece(struct wm_arena *arena, size_t bytes, bool zeroed)
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
	return zeroed ? memset(memory, 0, bytes) : memory;
}

static void *allocate(struct wm_arena *arena, size_t count, size_t size, bool zeroed)
{
	const size_t alignment = alignof(max_align_t);
	if (size && count > (SIZE_MAX - alignment) / size)
		out_of_memory();
	size_t bytes = (count * size + alignment - 1) / alignment * alignment;
	return bytes > ORDINARY_CHUNK_BYTES / 2 ? large_piece(arena, bytes, zeroed)
						: small_piece(arena, bytes, zeroed);
}

void *wm_arena_alloc(struct wm_arena *arena, size_t count, size_t size)
{
	return allocate(arena, count, size, true);
}

void *wm_arena_alloc_unset(struct wm_arena *arena, size_t count, size_t size)
{
	return allocate(arena, count, size, false);
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
	return memcpy(wm_arena_alloc_unset(arena, bytes, 1), text, bytes);
}

void wm_arena_reset(struct wm_arena *arena)
{
	while (arena->chunk) {
		struct wm_arena_chunk *chunk = arena->chunk;
		arena->chunk = chunk->next;
		free(chunk);
	}
}
