/* Running clang where something is left to do after it. */
#ifndef WM_CLI_LINK_RUN_H
#define WM_CLI_LINK_RUN_H

/* Runs it to its end and returns its status; ends as it ends if a signal kills it. -1 if it cannot
 * be run, with errno set. */
int wm_link_run(char **arguments);

#endif
