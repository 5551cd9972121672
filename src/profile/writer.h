/* Writing of .wmk files from outside the programs that count into them. */
#ifndef WM_PROFILE_WRITER_H
#define WM_PROFILE_WRITER_H

#include "core/base/error.h"
#include "profile/file.h"

/* Makes the file, or replaces it: its totals become what *file holds, its threads none. A reader
 * sees the old content or the new one; after an error, the old one. WM_ERROR_SYSTEM: it cannot be
 * written. */
int wm_writer_replace(const char *path, const struct wm_file *file, struct wm_error *error);

/* Opens an existing file and locks it: no process starts or folds a chunk until wm_writer_unlock,
 * but counting goes on. WM_ERROR_SYSTEM: it cannot be written, or is locked for seconds. */
int wm_writer_lock(const char *path, int *descriptor, struct wm_error *error);

void wm_writer_unlock(int descriptor);

/* Takes away what the process has counted up to now, and no increment after that. It is not
 * disturbed: its counts get an opposite in a chunk of their own. Errors as wm_file_read_process and
 * wm_writer_lock. */
int wm_writer_reset(const char *path, const struct wm_owner *owner, struct wm_error *error);

#endif
