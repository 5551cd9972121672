/* A .wmk file as its reader sees it: one sum of all counters, and who is still counting. */
#ifndef WM_PROFILE_FILE_H
#define WM_PROFILE_FILE_H

#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "profile/build_id.h"

/* A process that counts, or died counting, into a block of its own. */
struct wm_file_owner {
	uint32_t process;
	uint64_t process_start; /* clock ticks since boot; 0: unknown */
};

struct wm_file {
	const char *path;
	const char *object_path; /* of the program or library, as the runtime found it */
	struct wm_build_id build_id;
	uint64_t runs; /* folded ones and those of the owners */
	uint64_t counter_count;
	uint64_t *counter;
	uint32_t owner_count; /* blocks not folded into the totals yet; they are in the sum */
	struct wm_file_owner *owners;
};

/* Reads the whole file into the arena. WM_ERROR_SYSTEM: it cannot be read; WM_ERROR_INPUT: it is
 * truncated, damaged, of another version, or not a .wmk file. Running processes may write to the
 * file meanwhile: the sum is then one of a moment during the call, or later for some counters. */
int wm_file_read(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error);

/* Adds the counters and runs of another file of the same object; its owners are not taken over.
 * WM_ERROR_MISMATCH if the build-ids differ; the text names both. */
int wm_file_add(struct wm_file *file, const struct wm_file *other, struct wm_error *error);

#endif
