/* Chunks: where the counters of one thread are kept, in the profile file if possible. */
#ifndef WM_RUNTIME_CHUNK_H
#define WM_RUNTIME_CHUNK_H

#include "runtime/file/file.h"
#include "runtime/file/object.h"

struct wm_chunk {
	struct wm_chunk_header *header; /* mapped, with the counters behind it */
	uint64_t number;		/* in the file; 0: in memory only */
};

/* Claims a chunk of the file for the calling process and maps it at the address, or anywhere for
 * NULL; folds what dead processes left in the file if `fold`. Returns 0, or -1 if the file cannot
 * be used; then nothing is mapped, and the mapping at the address is as before. Keeps no file open.
 */
int wm_chunk_claim(const struct wm_own_object *object, const char *name, void *address, int fold,
	struct wm_chunk *chunk);

/* Zeroed memory in place of a chunk of the file: returns 0, or -1 without memory. */
int wm_chunk_in_memory(const struct wm_own_object *object, void *address, struct wm_chunk *chunk);

/* Writes a chunk in memory into the file. This may work even where files cannot be mapped. The
 * first time the chunk gets a number, which it keeps. */
int wm_chunk_save(const struct wm_own_object *object, const char *name, struct wm_chunk *chunk,
	uint64_t *number);

/* The following on files that are open. */

/* Opens the file of that name, or the one beside it if that one is of another build; in the file of
 * a program, finds the library's place. */
int wm_chunk_open_file(
	struct wm_locked_file *file, const struct wm_own_object *object, const char *name);

/* Reads the head of a chunk. */
int wm_chunk_read(
	const struct wm_locked_file *file, uint64_t number, struct wm_chunk_header *header);

/* Whether the chunk's owner has let go of it, or is gone. */
int wm_chunk_is_abandoned(const struct wm_chunk_header *header);

/* Whether the chunk of that number still is the one with this header: the file may have been
 * removed and made again since. */
int wm_chunk_is_own(
	const struct wm_locked_file *file, uint64_t number, const struct wm_chunk_header *own);

/* The number of the chunk behind this one. */
static inline uint64_t wm_chunk_next(uint64_t number, const struct wm_chunk_header *header)
{
	return number + wm_chunk_span(header);
}

static inline uint64_t *wm_chunk_counters(struct wm_chunk_header *header)
{
	return (uint64_t *)((char *)header + WM_CHUNK_HEADER_BYTES);
}

static inline size_t wm_chunk_counter_count(const struct wm_own_object *object)
{
	return object->counter_bytes / sizeof(uint64_t);
}

#endif
