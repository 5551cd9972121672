/* The calling context tree.
 *
 * A context is the chain of calls that led to an activation, without its loops: walk from the
 * outermost call, and where a function is in the chain already, cut the chain back to there. So no
 * context has a function twice, and a tree of all contexts is no deeper than there are functions.
 * A record stands for a context. It is identified by the record, the site and the function of its
 * last call, so it depends on the chain alone: trees of threads, runs and processes add up.
 *
 * A link is a pair of a site in a record and a function that was called there. It leads to a new
 * record below, or back to a record above (or to the same) if the function is in the chain already.
 */
#ifndef WM_CORE_CONTEXTS_H
#define WM_CORE_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

/* Record 0: whatever calls from outside. It has no function. */
#define WM_CONTEXT_OUTSIDE 0

struct wm_context_record {
	uint32_t function; /* WM_NONE: outside */
	uint32_t parent;   /* a record before this one; WM_NONE: outside */
	uint32_t site;	   /* in the parent's function */
};

struct wm_context_link {
	uint32_t source; /* a record */
	uint32_t site;	 /* in the source's function */
	uint32_t target; /* a record; if it is not below the source, the link is recursion */
	uint64_t count;	 /* calls */
};

struct wm_contexts {
	struct wm_arena *arena;
	uint32_t record_count;
	struct wm_context_record *records; /* parents before children */
	uint32_t link_count;
	struct wm_context_link *links;
	size_t record_capacity, link_capacity;
	uint32_t *table; /* number of a link + 1, or 0 */
	uint32_t table_size;
};

/* A tree of the outside alone. */
struct wm_contexts wm_contexts_make(struct wm_arena *arena);

/* The link of a call of the function; it is made if it is not there, with count 0, and so is the
 * record that it leads to. Links may move when others are made. */
uint32_t wm_contexts_link(
	struct wm_contexts *contexts, uint32_t record, uint32_t site, uint32_t function);

/* Whether the link leads to the source or to a record above it. */
bool wm_contexts_link_is_recursion(const struct wm_contexts *contexts, uint32_t link);

/* By record: how often it was entered. */
uint64_t *wm_contexts_entries(struct wm_arena *arena, const struct wm_contexts *contexts);

/* By record: how often by recursion. */
uint64_t *wm_contexts_recursion(struct wm_arena *arena, const struct wm_contexts *contexts);

#endif
