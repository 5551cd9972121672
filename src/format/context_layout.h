/* What code that counts contexts and the runtime know of each other: nothing of it is in a file.
 *
 * A record is a function in one context of one thread. It has a slot for each call by which code of
 * ours can be reached. A slot is a link to the record of its callee; where a call may have several
 * callees, each has an entry, which starts like a slot. Code passes the address of either in r10.
 */
#ifndef WM_FORMAT_CONTEXT_LAYOUT_H
#define WM_FORMAT_CONTEXT_LAYOUT_H

#include <stdint.h>

struct wm_context_entry;
struct wm_table_cell;

struct wm_context_slot {
	struct wm_context_slot *target;	  /* slots of the callee's record; NULL: not known yet */
	struct wm_table_cell *cell;	  /* of calls, in the profile; NULL: likewise */
	struct wm_context_entry *entries; /* the one used last first; of an entry: the next one */
	uint64_t owner;			  /* its record; of an entry: the slot, plus 1 */
};

/* A callee of a slot that is not known when it is compiled. */
struct wm_context_entry {
	struct wm_context_slot link;	 /* its cell counts what enters by the public entry */
	const void *function;		 /* NULL: link.cell and site_cell are not valid */
	const void *body;		 /* what a caller that has found the entry calls */
	struct wm_table_cell *site_cell; /* where such a caller counts */
	const void *known;		 /* the function, valid or not */
};

enum wm_context_offset {
	WM_CONTEXT_SLOT_BYTES = 32,
	WM_CONTEXT_SLOT_CELL = 8,
	WM_CONTEXT_SLOT_ENTRIES = 16,
	WM_CONTEXT_ENTRY_FUNCTION = 32,
	WM_CONTEXT_ENTRY_BODY = 40,
	WM_CONTEXT_ENTRY_SITE_CELL = 48
};

_Static_assert(sizeof(struct wm_context_slot) == WM_CONTEXT_SLOT_BYTES &&
		       sizeof(struct wm_context_entry) == 2 * WM_CONTEXT_SLOT_BYTES,
	"code has these numbers");

/* A slot as the compiler describes it. */
struct wm_context_layout_slot {
	uint64_t place; /* the counter of the only callee, or the value below */
	uint64_t site;	/* number of the call in the description */
};

#define WM_CONTEXT_UNCOUNTED 0u /* the callee has no table, or counts itself */

struct wm_context_layout {
	const uint64_t *counter; /* the one whose table has the counts of the function */
	uint64_t slot_count;
	struct wm_context_layout_slot slots[];
};

/* In a section of their own: functions whose address may be called. */
struct wm_context_public {
	const void *function;
	const void *body; /* takes a link; NULL: it finds its link itself */
	const struct wm_context_layout *layout;
};

#define WM_CONTEXT_PUBLIC_SECTION "waymark_entries"

#endif
