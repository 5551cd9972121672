/* Areas: memory for records and entries, with the cells that belong to them at their distance
 * (format/context_layout.h). All of it under the state's lock. */
#ifndef WM_RUNTIME_CONTEXT_AREA_H
#define WM_RUNTIME_CONTEXT_AREA_H

#include "format/context_layout.h"
#include "runtime/file/extent.h"

/* An area has room for that many cells at most. */
enum { WM_AREA_MAX_CELLS = 1 << 15 };

struct wm_area {
	struct wm_area *next; /* of the same tree: an older one */
	char *links;	      /* of its first cell */
	struct wm_extent extent;
	uint64_t cell_count, used;
	uint64_t inherited; /* cells that it had when it was taken over */
	int any_inherited;  /* it has, or an older one */
	int is_closed;	    /* gets no more cells */
	uint32_t *index;    /* of these, by name: number + 1, or 0 */
	uint64_t index_size;
	uint64_t spare; /* where to look for the next unnamed entry */
};

/* Names of cells that readers do not see: of calls that are not counted, and of both cells of an
 * entry that is not. */
enum { WM_CELL_UNNAMED = 1, WM_CELL_UNNAMED_ENTRY = 2, WM_CELL_UNNAMED_FOUND = 3 };

/* Private memory, never given back; NULL without. */
void *wm_area_memory(size_t bytes);

/* Puts a new area in front, with room for that many cells, or one of an earlier process with its
 * names. Returns -1 without memory. */
int wm_area_open(struct wm_area **areas, uint64_t count);

/* The private half of that many cells in a row of which the first has this name, as an earlier
 * process left it; or NULL. */
void *wm_area_find(const struct wm_area *areas, uint64_t place, uint64_t key, uint64_t count);

/* The same of an entry that has no name, and was not returned before. */
void *wm_area_find_unnamed(struct wm_area *areas);

/* The private half of that many fresh cells; NULL if the newest area has no room. */
void *wm_area_take(struct wm_area *areas, uint64_t count);

/* The cell beside this, where readers find it. Where it is counted may be elsewhere. */
struct wm_table_cell *wm_area_cell(const struct wm_area *areas, const void *half);

/* Goes on in another extent with the same cells at the same addresses. `with_counts`: takes counts
 * along, from memory. `release`: other processes may take the extent before. */
int wm_area_renew(struct wm_area *area, int with_counts, int release);

#endif
