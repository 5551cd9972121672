/* Processes: our own, and whether another one is still there. */
#ifndef WM_RUNTIME_PROCESS_H
#define WM_RUNTIME_PROCESS_H

#include "format/profile_file.h"

/* Writes the calling process into a chunk as its owner. */
void wm_process_sign(struct wm_chunk_header *chunk);

/* True only if the chunk's owner is certainly gone. */
int wm_process_is_gone(const struct wm_chunk_header *chunk);

/* Whether this process has no thread of that number; true for 0. */
int wm_process_lacks_thread(int thread);

/* True only if the calling thread is certainly the only one of its process. */
int wm_process_is_one_thread(void);

/* Whether a debugger holds this process. */
int wm_process_is_traced(void);

#endif
