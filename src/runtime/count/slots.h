/* The store of counters: what is done to all slots at once. */
#ifndef WM_RUNTIME_SLOTS_H
#define WM_RUNTIME_SLOTS_H

/* Moves what was counted into the static counters after the start, if anything, to the first slot.
 * Makes no system call. */
void wm_slots_take_static(void);

/* Whether any of the counts are in the file. */
int wm_slots_are_in_file(void);

#endif
