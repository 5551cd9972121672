/* Extents: chunks that are tables (format/table_cell.h), in the profile file if possible. All of it
 * under the state's lock. */
#ifndef WM_RUNTIME_EXTENT_H
#define WM_RUNTIME_EXTENT_H

#include "format/table_cell.h"
#include "runtime/file/object.h"

struct wm_extent {
	struct wm_chunk_header *header; /* mapped, with the cells behind it */
	void *kept;			/* while counting pauses: the extent, mapped elsewhere */
	uint64_t bytes;
	uint64_t number; /* in the file; 0: in memory only */
	uint64_t saved;	 /* an extent in memory: its number in the file once it was written there */
	int parked;	 /* memory that is mapped so that it can be touched, and never read */
};

/* Which extent is wanted. */
struct wm_extent_wish {
	uint64_t cells;	     /* of a copy exactly; of one in order, if it is new; else at least */
	uint8_t order;	     /* WM_TABLE_ORDERED, WM_TABLE_COPY; 0: cells are found by key */
	uint64_t like_count; /* of a copy: how many cells it has, */
	const struct wm_table_cell *like; /* and their names */
};

/* Maps such an extent and signs it like `owner`. Takes one of the file that no thread counts into
 * any more, with its contents; or else appends one. Of cells that are found by key, `cells` are
 * used first. Returns -1 if the file cannot be used. */
int wm_extent_claim(const struct wm_own_object *object, const char *name,
	const struct wm_extent_wish *wish, const struct wm_chunk_header *owner,
	struct wm_extent *extent);

/* Another file is used now, or another process: it may hold extents that no thread counts into. */
void wm_extent_search_again(void);

/* Empty memory in place of an extent of the file; -1 without memory. */
int wm_extent_in_memory(const struct wm_own_object *object, const struct wm_extent_wish *wish,
	const struct wm_chunk_header *owner, struct wm_extent *extent);

/* Writes an extent in memory to the file. */
int wm_extent_save(const struct wm_own_object *object, const char *name, struct wm_extent *extent);

/* Lets threads go on counting into the extent without effect, and back. 0, or -1 if it cannot.
 */
int wm_extent_pause(struct wm_extent *extent);
int wm_extent_resume(struct wm_extent *extent);

/* The same for good. With `release`, other processes may take the extent in the file. */
int wm_extent_park(struct wm_extent *extent, int release);

/* Unmaps the extent: no thread may touch it any more. */
void wm_extent_drop(struct wm_extent *extent, int release);

/* The extent's true header, and its cells; paused or not. */
static inline struct wm_chunk_header *wm_extent_header(const struct wm_extent *extent)
{
	return extent->kept ? extent->kept : extent->header;
}

static inline struct wm_table_cell *wm_extent_cells(const struct wm_extent *extent)
{
	return (struct wm_table_cell *)((char *)wm_extent_header(extent) + WM_CHUNK_HEADER_BYTES);
}

/* All cells of the extent, in use or not. */
static inline uint64_t wm_extent_cell_count(const struct wm_extent *extent)
{
	return wm_table_cells(extent->bytes, 1);
}

#endif
