/* The place of a library in the file of its program. */
#ifndef WM_RUNTIME_LIBRARY_H
#define WM_RUNTIME_LIBRARY_H

#include "runtime/file/file.h"

/* Finds the chunk of the object that counts into the file, or appends one; the file knows it then.
 * Returns -1 without room. */
int wm_library_find(struct wm_locked_file *file);

/* Writes head and identity of the object's chunk into zeroed memory. */
void wm_library_describe(const struct wm_own_object *object, void *chunk);

/* The units that the object's chunk takes. */
uint64_t wm_library_span(const struct wm_own_object *object);

#endif
