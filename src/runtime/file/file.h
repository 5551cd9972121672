/* The profile file, from inside the program that it belongs to (layout and crash safety:
 * format/profile_file.h). */
#ifndef WM_RUNTIME_FILE_H
#define WM_RUNTIME_FILE_H

#include "runtime/file/object.h"

/* An open and locked file. */
struct wm_locked_file {
	const struct wm_own_object *object; /* that counts into it */
	int descriptor;
	uint64_t unit_bytes;
	uint64_t unit_count;
	uint32_t folded;	 /* a chunk that is in the totals, but not cleared yet; or 0 */
	uint64_t library;	 /* the object's chunk in the file of its program; or 0 */
	uint32_t library_folded; /* as `folded`, of the library */
};

/* Opens or makes the file and locks it. Returns 0, or -1 if that fails: then *foreign says whether
 * a file of another build is in the way, which is left alone. */
int wm_file_open(struct wm_locked_file *file, const struct wm_own_object *object, const char *name,
	int *foreign);

void wm_file_close(struct wm_locked_file *file);

/* Makes room for zeroed units behind the last chunk, on the disk too, so that a full disk shows
 * here and not as a signal in a probe. They are no part of the file yet. Returns -1 without room.
 */
int wm_file_reserve(struct wm_locked_file *file, uint64_t units);

/* Makes the units that were reserved a part of the file: readers see a chunk as a whole or not at
 * all. Returns -1, with the room given back, if that cannot be written. */
int wm_file_append(struct wm_locked_file *file, uint64_t units);

/* Gives the totals space on the disk, which they do not have before the first fold: most programs
 * run once. Negative if there is no room. */
int wm_file_reserve_totals(const struct wm_locked_file *file);

uint64_t wm_file_offset(const struct wm_locked_file *file, uint64_t unit);

/* The header of a fresh file, which has totals only. */
void wm_file_describe(const struct wm_own_object *object, struct wm_file_header *header);

/* Writes all bytes, or returns -1. */
int wm_file_write(
	const struct wm_locked_file *file, const void *bytes, size_t count, uint64_t offset);

#endif
