/* A .wmk file that is being read: its bytes, checked, and what its header says. */
#ifndef WM_PROFILE_READER_H
#define WM_PROFILE_READER_H

#include "profile/entries.h"
#include "profile/file.h"

struct wm_reader {
	struct wm_arena *arena;
	const char *path;
	int descriptor;
	uint64_t unit_bytes;
	uint64_t unit_count;
	uint32_t library;	/* number of its chunk; 0: what is read is the program's */
	uint64_t commit_offset; /* of that object */
	uint64_t totals_offset;
	uint64_t chunk_bytes;	/* of its totals, and of its counters */
	uint32_t library_count; /* found so far */
	uint32_t library_capacity;
	uint32_t *libraries;   /* their chunks, in rising order */
	uint32_t packed_count; /* chunks of what is packed, found so far */
	uint32_t packed_capacity;
	uint32_t *packed;	     /* in rising order */
	const struct wm_owner *only; /* read what this process counted; NULL: read everything */
	struct wm_entries entries;
	bool unsettled; /* a table has perhaps changed hands while it was read */
	struct wm_file *file;
	struct wm_error *error;
};

/* Sets the error of a file that cannot be trusted. */
int wm_reader_damaged(struct wm_reader *reader, const char *reason);

/* Opens the file at reader->path. */
int wm_reader_open(struct wm_reader *reader);

/* Reads that many bytes; a file that ends before is truncated. */
int wm_reader_read(struct wm_reader *reader, void *buffer, size_t bytes, uint64_t offset);

/* Reads and checks which object the file belongs to, and makes room for its counters. */
int wm_reader_identify(struct wm_reader *reader);

/* The same for the library whose chunk has that number. */
int wm_reader_identify_library(struct wm_reader *reader, uint32_t number);

/* Reads the number of units. More may be added at any time; it grows only when they are there. */
int wm_reader_count_units(struct wm_reader *reader);

/* Adds up everything that was counted for the object that was identified. When it is the program,
 * the reader knows all libraries afterwards. */
int wm_reader_sum(struct wm_reader *reader);

static inline uint64_t wm_reader_offset(const struct wm_reader *reader, uint64_t chunk)
{
	return WM_FILE_HEADER_BYTES + chunk * reader->unit_bytes;
}

#endif
