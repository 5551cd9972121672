/* What code that counts contexts and the runtime know of each other.
 *
 * A record is a function in one context of one thread. It has two halves, at a fixed distance from
 * each other. The first is private memory: a head, and a link for each call by which code of ours
 * can be reached, which leads to the record of the callee. The second is a part of the profile: it
 * has a cell (format/table_cell.h) beside each of these, so that code counts at a constant distance
 * from its record, and no pointer is ever in a file. Where a call may have several callees, each
 * has an entry, which starts like a link. Code passes the address of either in r10.
 *
 *	record	private half			cell
 *	0	head				its own name: the table of its function, and its
 *chain 1...	nothing				the function's counters: the counter, and the chain
 *	...	link of a call			the callee's table, and the key of the call
 *
 *	entry	private half			cell
 *	0	link				what enters by the public entry, named like a call
 *	1	function and body		what callers count that have found the entry,
 *likewise
 *
 * The record's chain and the keys of calls are those of format/context_key.h. Whatever else is to
 * be counted by context gets a counter of the function, and so a cell of each record.
 */
#ifndef WM_FORMAT_CONTEXT_LAYOUT_H
#define WM_FORMAT_CONTEXT_LAYOUT_H

#include <stdint.h>

struct wm_context_entry;
struct wm_context_layout;
struct wm_context_tree;

struct wm_context_link {
	struct wm_context_record *target; /* the callee's; NULL: not known yet */
	struct wm_context_entry *entries; /* the one used last first; of an entry: the next one */
	uint64_t owner;			  /* its record, or 0; of an entry: its link, plus 1 */
	uint64_t number;		  /* among the links of the record */
};

struct wm_context_record {
	const struct wm_context_record *parent; /* NULL: the root, which is no function */
	const struct wm_context_layout *layout;
	uint64_t chain;
	struct wm_context_tree *tree;
	struct wm_context_link links[]; /* behind as many as there are counters */
};

/* A callee of a link that is not known when it is compiled. */
struct wm_context_entry {
	struct wm_context_link link;
	const void *function;
	const void *body; /* what a caller that has found the entry calls */
	uint64_t unused[2];
};

enum wm_context_offset {
	WM_CONTEXT_LINK_BYTES = 32, /* as much as a cell */
	WM_CONTEXT_LINK_ENTRIES = 8,
	WM_CONTEXT_ENTRY_FUNCTION = 32,
	WM_CONTEXT_ENTRY_BODY = 40,
	WM_CONTEXT_DISTANCE = 1 << 21,
	WM_CONTEXT_COUNT = WM_CONTEXT_DISTANCE + 24,   /* of the cell beside */
	WM_CONTEXT_ENTRY_COUNT = WM_CONTEXT_COUNT + 32 /* of those that have found it */
};

_Static_assert(sizeof(struct wm_context_link) == WM_CONTEXT_LINK_BYTES &&
		       sizeof(struct wm_context_record) == WM_CONTEXT_LINK_BYTES &&
		       sizeof(struct wm_context_entry) == 2 * WM_CONTEXT_LINK_BYTES,
	"code has these numbers");

/* A function with more counters counts them for all its contexts together. */
enum { WM_CONTEXT_MAX_COUNTERS = 1 << 12 };

/* A call as the compiler describes it. */
struct wm_context_layout_call {
	uint64_t place; /* the counter of the only callee, or the value below */
	uint64_t site;	/* number of the call in the description */
};

#define WM_CONTEXT_UNCOUNTED 0u /* the callee has no table, or counts itself */

struct wm_context_layout {
	const uint64_t *counter;  /* the one whose table has the counts of the function */
	const uint64_t *counters; /* those that its records have cells for, */
	uint64_t counter_count;	  /* so many */
	uint64_t call_count;
	struct wm_context_layout_call calls[];
};

/* In a section of their own: functions whose address may be called. */
struct wm_context_public {
	const void *function;
	const void *body; /* takes a link; NULL: it finds its link itself */
	const struct wm_context_layout *layout;
};

#define WM_CONTEXT_PUBLIC_SECTION "waymark_entries"

#endif
