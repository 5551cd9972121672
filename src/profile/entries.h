/* Lists of counts by key, as they are gathered from tables of a .wmk file. */
#ifndef WM_PROFILE_ENTRIES_H
#define WM_PROFILE_ENTRIES_H

#include "core/base/arena.h"
#include "profile/file.h"

/* Entries in any order, some of them several times. A zeroed struct is an empty list. */
struct wm_entries {
	struct wm_arena arena;
	struct wm_file_entry *entries;
	uint64_t count;
	uint64_t capacity;
};

/* Puts an entry behind the others. */
void wm_entries_add(struct wm_entries *list, struct wm_file_entry entry);

/* The order of a file's entries: adds up those of one key, and drops counts of zero. */
void wm_entries_settle(struct wm_entries *list);

/* Gives the memory back; the list may be used again. */
void wm_entries_free(struct wm_entries *list);

/* Makes the list, which must be in order, the entries of the file, in its arena. */
void wm_entries_give(const struct wm_entries *list, struct wm_file *file);

/* Adds the entries of another file; that one may be a copy of this. */
void wm_entries_merge(struct wm_file *file, const struct wm_file *other);

#endif
