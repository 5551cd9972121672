/* Bringing together what was not counted into a thread's block of the file. */
#ifndef WM_RUNTIME_SAVE_H
#define WM_RUNTIME_SAVE_H

/* All under the state's lock. */

/* Moves what was counted before a thread had its slot. */
void wm_save_static_counters(void);

/* Writes blocks in memory to the file. Returns 0, or -1 if they could not be written. */
int wm_save_memory(void);

/* The process ends, or the library is unloaded. */
void wm_save_at_end(void);

#endif
