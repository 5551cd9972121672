/* The binary of a profile, wherever it is now. */
#ifndef WM_PROFILE_BINARY_H
#define WM_PROFILE_BINARY_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/file.h"
#include "profile/object.h"

/* Reads the object that the counts of *file belong to. It is the one at `binary`, if that is not
 * NULL; else what is packed of it in the file; else the one at the path that the file holds, if it
 * is still of that build; else what was kept of it (profile/builds.h).
 * WM_ERROR_MISMATCH: there is none; the text says why, and wm_binary_ask what the user may do.
 * Other errors as of wm_object_read. */
int wm_binary_read(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_object *object, struct wm_error *error);

/* The record of the object as it was read, for a file that needs nothing else. Errors as
 * wm_kept_make. */
int wm_binary_record(struct wm_arena *arena, const struct wm_object *object,
	struct wm_bytes *record, struct wm_error *error);

/* Adds to an error that it can be named by this option. */
void wm_binary_ask(struct wm_error *error, const char *option);

#endif
