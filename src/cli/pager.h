/* Long output on a terminal goes through a pager, as with git. */
#ifndef WM_CLI_PAGER_H
#define WM_CLI_PAGER_H

/* Sends standard output, and standard error if it is a terminal, to the pager that WAYMARK_PAGER or
 * PAGER names, by default `less -FRX`. The end of the process waits for the pager's. Does nothing
 * if standard output is no terminal, or there is no such pager. */
void wm_pager_start(void);

#endif
