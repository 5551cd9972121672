/* The checksums of the source files that an object was built from. */
#ifndef WM_PROFILE_CHECKSUMS_H
#define WM_PROFILE_CHECKSUMS_H

#include "core/base/arena.h"
#include "profile/line_table.h"
#include "profile/object.h"

/* Reads what the debug information of the objects has: nothing, if it is not of DWARF 5 or was
 * removed. By rising path; a path stands there once for each text that was compiled under it. */
void wm_checksums_read(
	struct wm_arena *arena, const struct wm_object *object, struct wm_checksums *checksums);

enum wm_checksum_match {
	WM_CHECKSUM_UNKNOWN, /* there is no checksum of the path */
	WM_CHECKSUM_SAME,
	WM_CHECKSUM_OTHER /* some code was made from another text than this */
};

enum wm_checksum_match wm_checksums_match(
	const struct wm_checksums *checksums, const char *path, const struct wm_md5 *md5);

#endif
