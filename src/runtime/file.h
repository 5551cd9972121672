/* The profile file, from inside the program that it belongs to. */
#ifndef WM_RUNTIME_FILE_H
#define WM_RUNTIME_FILE_H

#include "runtime/object.h"

/* Opens or makes the file, folds what dead processes left there, and claims a block for this
 * process: maps it (at the given address, or anywhere for NULL) and returns the mapping, which
 * starts with the block's header and is wm_file_block_stride() bytes long. Returns NULL if there is
 * no way to; then nothing is mapped, and a file of another build is left alone. Keeps no file open.
 */
struct wm_block_header *wm_file_claim(
	const struct wm_object *object, const char *name, void *address);

#endif
