/* Options of every command that prints: how, not what. */
#ifndef WM_CLI_GENERAL_OPTIONS_H
#define WM_CLI_GENERAL_OPTIONS_H

/* As in struct wm_command. */
extern const char wm_general_help[];

/* Takes the general options out of argv, which stays ended by NULL, and does what --color says.
 * Returns the number of words left. */
int wm_general_options_take(int argc, char **argv);

/* Sends what is printed from now on through a pager, if --no-pager was not given. */
void wm_general_options_page(void);

#endif
