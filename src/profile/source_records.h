/* The source records of an object: what the text of its functions says (format/source.h). */
#ifndef WM_PROFILE_SOURCE_RECORDS_H
#define WM_PROFILE_SOURCE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/source.h"

struct wm_source_records {
	uint32_t count;		   /* 0: the object has none */
	struct wm_source *records; /* by rising key, each once */
	bool *uncounted;	   /* by record: there is code with that text that is not counted */
	bool *pure; /* by record: calls of it may have been deleted (WM_PURE_MAGIC) */
};

/* Reads the bytes of section WM_SOURCE_SECTION, which are untrusted; everything lives in the arena.
 * WM_ERROR_INPUT, and a text that starts with the path, if a record is damaged. */
int wm_source_records_read(struct wm_arena *arena, const char *path, const uint8_t *section,
	uint64_t bytes, struct wm_source_records *records, struct wm_error *error);

/* The number of the record with that key, or WM_NONE. */
uint32_t wm_source_records_find(const struct wm_source_records *records, uint64_t key);

#endif
