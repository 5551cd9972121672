/* The tree of records of a thread, or of threads one after the other. All of it under the state's
 * lock, but for what finds an entry quickly. */
#ifndef WM_RUNTIME_CONTEXT_TREE_H
#define WM_RUNTIME_CONTEXT_TREE_H

#include "runtime/context/area.h"
#include "runtime/count/tables.h"

enum { WM_RECENT_ENTRIES = 1 << 12 };

struct wm_context_tree {
	struct wm_context_tree *next;
	const struct wm_key_table *table; /* of the thread; NULL: nobody's, or not known yet */
	struct wm_area *areas;
	struct wm_context_record *root;
	uint64_t record_count;
	const struct wm_context_record **folded; /* by hash of their layouts */
	uint64_t folded_size, folded_count;
	struct wm_context_entry *recent[WM_RECENT_ENTRIES]; /* by hash */
};

extern struct wm_context_tree *wm_context_trees;

/* Whose link it is; NULL: nobody's. Stores the link itself, if the one given is an entry's. */
const struct wm_context_record *wm_context_owner(const struct wm_context_link **link);

/* Of the call at the link, as the description numbers them. */
uint32_t wm_context_site(const struct wm_context_link *link);

/* The tree that the calling thread counts into; NULL without memory. Before the start all threads
 * have one together. */
struct wm_context_tree *wm_context_tree_of_caller(void);

/* The place of a counter, for names of cells. */
uint64_t wm_context_place(const uint64_t *counter);

/* The record of the function behind the link, a new one if need be; NULL without memory. */
struct wm_context_record *wm_context_find_record(
	const struct wm_context_link *link, const struct wm_context_layout *layout);

/* Memory for cells of which the first has this name: as an earlier process left it, or fresh. A
 * name without place is that of an entry that readers do not see. */
void *wm_context_place_cells(
	struct wm_context_tree *tree, uint64_t place, uint64_t key, uint64_t count);

#endif
