/* An instrumented object: its identity and the descriptions of its functions, read from the ELF
 * file.
 *
 * Only section headers, the build-id note and the two sections of Waymark are used, so programs,
 * shared libraries, static and position-independent executables work, stripped or not.
 */
#ifndef WM_PROFILE_OBJECT_H
#define WM_PROFILE_OBJECT_H

#include <stdint.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/description.h"
#include "profile/build_id.h"
#include "profile/source_records.h"

struct wm_object_function {
	struct wm_function function;
	uint64_t first_counter; /* index of its first counter among the object's counters */
};

struct wm_object {
	const char *path;
	time_t modified; /* when the file was last written */
	struct wm_build_id build_id;
	uint64_t counter_count; /* 8-byte counters of the whole object */
	uint32_t function_count;
	struct wm_object_function *functions;
	struct wm_source_records sources; /* what the text of the functions says */
};

/* Reads everything into the arena. WM_ERROR_SYSTEM: the file cannot be read; WM_ERROR_INPUT: it is
 * not ELF, was not built with waymark cc, has no build-id, or its descriptions are damaged. */
int wm_object_read(
	struct wm_arena *arena, const char *path, struct wm_object *object, struct wm_error *error);

#endif
