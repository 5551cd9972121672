/* Bringing together what was not counted into a thread's block of the file. */
#ifndef WM_RUNTIME_SAVE_H
#define WM_RUNTIME_SAVE_H

/* Moves what was counted before a thread had its slot. */
void wm_save_static_counters(void);

/* Whether there is anything to do at the end: some block is in memory only, or is to be released.
 */
int wm_save_is_needed(void);

/* The following under the state's lock. */

/* Writes blocks in memory to the file. Returns 0, or -1 if they could not be written. */
int wm_save_memory(void);

/* The process ends, or the library is unloaded. */
void wm_save_at_end(void);

#endif
