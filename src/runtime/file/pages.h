/* Which pages of the object's own data were ever written. */
#ifndef WM_RUNTIME_PAGES_H
#define WM_RUNTIME_PAGES_H

#include <stddef.h>

/* Calls `visit` for all parts of the memory that may hold what was written since the object was
 * loaded; all of it where the kernel does not tell. Under the state's lock. */
void wm_pages_visit_written(void *memory, size_t bytes, void (*visit)(void *from, const void *to));

#endif
