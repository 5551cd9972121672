/* The .wmt file from inside the process that it belongs to (layout: format/trace_file.h). All of it
 * under the state's lock. */
#ifndef WM_RUNTIME_TRACE_FILE_H
#define WM_RUNTIME_TRACE_FILE_H

#include "format/trace_file.h"

/* How many pieces of a kind a stream keeps; 0: all. */
extern const uint64_t __waymark_trace_ring __attribute__((visibility("hidden")));

/* Takes the next piece of the file, which is made with the first, for the stream, and maps it at
 * the address. *piece becomes its number in the file, from 1. Returns 0, or -1 where there is no
 * room; the file then says so. */
int wm_trace_file_map(const struct wm_trace_entry *entry, void *address, uint32_t *piece);

/* The same with a piece that the stream has already, whose content is lost; *lost becomes the
 * number that it had. */
int wm_trace_file_map_again(
	const struct wm_trace_entry *entry, void *address, uint32_t piece, uint64_t *lost);

/* The child of a fork has a file of its own. */
void wm_trace_file_forget(void);

#endif
