/* A .wmk file as its reader sees it: for the program, and for each library that counts here, one
 * sum of all counters, and the processes that still count.
 */
#ifndef WM_PROFILE_FILE_H
#define WM_PROFILE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/profile_file.h"
#include "profile/build_id.h"
#include "profile/owner.h"
#include "profile/packed.h"

/* A process that counts, or died counting, into chunks of its own. */
struct wm_file_owner {
	struct wm_owner owner;
	bool gone; /* for certain */
	uint32_t chunk_count;
	uint32_t thread_count; /* threads that count or counted into its chunks */
	uint32_t ended_count;  /* those of them that ended where they meant to */
	uint32_t running;      /* chunks that may be counted into now */
};

/* What was counted under a key instead of a place of its own: see format/table_cell.h. */
struct wm_file_entry {
	uint64_t counter; /* index of the counter whose address names the table */
	uint64_t key;
	uint64_t count;
};

struct wm_file {
	const char *path;
	const char *object_path; /* of the program or library, as the runtime found it */
	struct wm_build_id build_id;
	time_t modified;     /* when it was last written; of several, the newest */
	uint32_t file_count; /* that are added up here */
	uint64_t runs;	     /* folded ones and those of the owners */
	uint64_t counter_count;
	uint64_t *counter;
	uint64_t entry_count;
	struct wm_file_entry *entries; /* sorted by counter, then key; none twice, no count zero */
	uint64_t entry_capacity;       /* entries that there is room for */
	struct wm_arena *arena;	       /* where more room comes from */
	uint64_t cut_short;	       /* threads that did not end where they meant to */
	uint64_t running;	       /* threads that count now, as far as can be told from here */
	uint32_t status;	       /* enum wm_chunk_status of all chunks together */
	uint32_t owner_count;
	uint32_t owner_capacity;
	bool unknown_kinds[WM_CHUNK_KIND_LIMIT]; /* of chunks that are not in the sum */
	struct wm_file_owner *owners; /* of chunks not folded yet; these are in the sum */
	struct wm_packed packed;      /* libraries have that of their program */
	uint32_t number;	      /* of a library: its chunk in the file that was read */
	uint32_t library_count;
	struct wm_file *libraries; /* that the program loaded; they have none of their own */
};

/* Reads the whole file into the arena. WM_ERROR_SYSTEM: it cannot be read; WM_ERROR_INPUT: it is
 * truncated, damaged, of another version, or not a .wmk file. Running processes may write to the
 * file meanwhile: the sum is then one of a moment during the call, or later for some counters. */
int wm_file_read(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error);

/* The same for what one process counted and still holds. WM_ERROR_MISMATCH if it holds no chunk of
 * the file; libraries of which it holds none are left out. */
int wm_file_read_process(struct wm_arena *arena, const char *path, const struct wm_owner *owner,
	struct wm_file *file, struct wm_error *error);

/* Reads only which object the file belongs to. */
int wm_file_identify(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error);

/* Names the kinds of chunks that were skipped, as a later Waymark has written them: "kind 7, 9", in
 * the arena; NULL if there are none. */
const char *wm_file_unknown_kinds(struct wm_arena *arena, const struct wm_file *file);

/* A file of the same object without counts and libraries. */
struct wm_file wm_file_start(struct wm_arena *arena, const struct wm_file *like);

/* Index of the first of its entries whose counter is not below. */
uint64_t wm_file_first_entry(const struct wm_file *file, uint64_t counter);

/* Adds the counters of another file of the same object, what is known of its runs, and what is
 * packed in it; the same for its libraries, by build-id. Owners are not taken over.
 * WM_ERROR_MISMATCH if the build-ids differ; the text names both. */
int wm_file_add(struct wm_file *file, const struct wm_file *other, struct wm_error *error);

#endif
