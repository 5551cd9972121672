/* Bringing together what was not counted into a thread's chunk of the file. */
#ifndef WM_RUNTIME_SAVE_H
#define WM_RUNTIME_SAVE_H

/* Moves what was counted into the static counters after the start, if anything: whole-sale, without
 * a system call. */
void wm_save_static_counters(void);

/* Whether there is anything to do at the end: some chunk is in memory only, or is to be released.
 */
int wm_save_is_needed(void);

/* The following under the state's lock. */

/* Moves what was counted before the start. */
void wm_save_early_counters(void);

/* Writes chunks in memory to the file. Returns 0, or -1 if they could not be written. */
int wm_save_memory(void);

/* In a forked child: what is in the static counters was counted by its parent, who saves it. */
void wm_save_leave_static_to_parent(void);

/* The process ends, or the library is unloaded. */
void wm_save_at_end(void);

#endif
