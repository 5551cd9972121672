/* What readers need of an instrumented object, as bytes: of an ELF file, or as it was kept.
 *
 * Only section headers, the build-id note and the sections of Waymark are used, so programs, shared
 * libraries, static and position-independent executables work, stripped or not.
 */
#ifndef WM_PROFILE_OBJECT_PARTS_H
#define WM_PROFILE_OBJECT_PARTS_H

#include <stdint.h>
#include <time.h>

#include "profile/build_id.h"
#include "profile/elf_file.h"
#include "profile/line_table.h"

struct wm_object_parts {
	const char *path;
	time_t modified; /* when the object was last written */
	struct wm_build_id build_id;
	struct wm_bytes descriptions;
	struct wm_bytes sources; /* source records; NULL: there are none */
	uint64_t counter_bytes;
	uint64_t distance; /* from the address of the descriptions to that of the counters */
};

/* Finds the parts in an open ELF file; they live as long as it is open. WM_ERROR_INPUT if it was
 * not built with waymark cc, or has no build-id. */
int wm_object_parts_read(
	struct wm_elf *file, struct wm_object_parts *parts, struct wm_error *error);

#endif
