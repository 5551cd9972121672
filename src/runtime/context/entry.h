/* Entries of a link: the functions that were called there. */
#ifndef WM_RUNTIME_CONTEXT_ENTRY_H
#define WM_RUNTIME_CONTEXT_ENTRY_H

#include "runtime/context/tree.h"

/* The function's entry, if it is one of those that were found last; else NULL. Any handler of
 * signals may do the same meanwhile. */
struct wm_context_entry *wm_context_find_quickly(
	struct wm_context_link *link, const void *function);

/* The function's entry, a new one if need be; NULL without memory. With the layout of the function,
 * if it enters by itself. Under the lock. */
struct wm_context_entry *wm_context_find_entry(
	struct wm_context_link *link, const void *function, const struct wm_context_layout *layout);

#endif
