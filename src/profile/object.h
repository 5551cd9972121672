/* An instrumented object: its identity and the descriptions of its functions. */
#ifndef WM_PROFILE_OBJECT_H
#define WM_PROFILE_OBJECT_H

#include <stdint.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/description.h"
#include "profile/build_id.h"
#include "profile/object_parts.h"
#include "profile/source_records.h"

struct wm_packed;

struct wm_object_function {
	struct wm_function function;
	uint64_t first_counter; /* index of its first counter among the object's counters */
};

struct wm_object {
	const char *path;
	time_t modified;		/* when the file was last written */
	struct wm_bytes record;		/* that it was read from; NULL: the ELF file */
	const struct wm_packed *packed; /* what else is in the file of its profile, or NULL */
	struct wm_build_id build_id;
	uint64_t counter_count; /* 8-byte counters of the whole object */
	uint32_t function_count;
	struct wm_object_function *functions;
	struct wm_source_records sources;     /* what the text of the functions says */
	const struct wm_checksums *checksums; /* of its source files; NULL: the ELF file has them */
	const struct wm_object *next;	      /* of the same run, or NULL */
};

/* Reads what the parts say into the arena. WM_ERROR_INPUT if its descriptions are damaged. */
int wm_object_decode(struct wm_arena *arena, const struct wm_object_parts *parts,
	struct wm_object *object, struct wm_error *error);

/* The same for the ELF file at the path. WM_ERROR_SYSTEM: the file cannot be read; WM_ERROR_INPUT:
 * it is not ELF, was not built with waymark cc, has no build-id, or its descriptions are damaged.
 */
int wm_object_read(
	struct wm_arena *arena, const char *path, struct wm_object *object, struct wm_error *error);

#endif
