/* Blocks: where the counters of one thread are kept, in the profile file if there is any way to. */
#ifndef WM_RUNTIME_BLOCK_H
#define WM_RUNTIME_BLOCK_H

#include "runtime/file.h"
#include "runtime/object.h"

struct wm_block {
	struct wm_block_header *header; /* mapped, with the counters behind it */
	uint64_t number;		/* in the file; 0: in memory only */
};

/* Claims a block of the file for the calling process and maps it at the address, or anywhere for
 * NULL; folds what dead processes left in the file if `fold`. Returns 0, or -1 if the file cannot
 * be used; then nothing is mapped, and the mapping at the address is as before. Keeps no file open.
 */
int wm_block_claim(const struct wm_object *object, const char *name, void *address, int fold,
	struct wm_block *block);

/* Zeroed memory in place of a block of the file: returns 0, or -1 without memory. */
int wm_block_in_memory(const struct wm_object *object, void *address, struct wm_block *block);

/* Writes a block in memory into the file, by writing alone: where files cannot be mapped this still
 * may work. The first time it gets a number, which it keeps. */
int wm_block_save(
	const struct wm_object *object, const char *name, struct wm_block *block, uint64_t *number);

/* The following on files that are open. */

/* Opens the file of that name, or the one beside it if that one is of another build. */
int wm_block_open_file(struct wm_file *file, const struct wm_object *object, const char *name);

/* Reads the header of a block, or of a run of them. */
int wm_block_read(const struct wm_file *file, uint64_t number, struct wm_block_header *header);

/* Whether the block's owner has let go of it, or is gone. */
int wm_block_is_abandoned(const struct wm_block_header *header);

/* Whether the block of that number still is the one with this header: the file may have been
 * removed and made anew since. */
int wm_block_is_own(const struct wm_file *file, uint64_t number, const struct wm_block_header *own);

/* The number of the block or run behind this one. */
static inline uint64_t wm_block_next(uint64_t number, const struct wm_block_header *header)
{
	return number + (header->span ? header->span : 1);
}

static inline uint64_t *wm_block_counters(struct wm_block_header *header)
{
	return (uint64_t *)((char *)header + WM_BLOCK_HEADER_BYTES);
}

static inline size_t wm_block_counter_count(const struct wm_object *object)
{
	return object->counter_bytes / sizeof(uint64_t);
}

#endif
