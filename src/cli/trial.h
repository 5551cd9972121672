/* Doing once what a program does when it starts to write its profile. */
#ifndef WM_CLI_TRIAL_H
#define WM_CLI_TRIAL_H

/* Makes a file in the folder, reserves space in it, locks it, maps it and removes it again. Returns
 * NULL if all of that works, else what does not, with errno set. */
const char *wm_trial_write(const char *folder);

#endif
