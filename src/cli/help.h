/* What there is to type, as the table of commands says it; for people and for shells. */
#ifndef WM_CLI_HELP_H
#define WM_CLI_HELP_H

#include <stddef.h>

#include "cli/commands.h"

struct wm_help_option {
	char name[32];	 /* with its dashes */
	char value[80];	 /* what follows it: words as in a|b, or a name in capitals; or empty */
	char about[128]; /* the first part of what the help says */
};

/* Reads the options of a help text. Returns how many there are; at most `room` are stored. */
size_t wm_help_options(const char *help, struct wm_help_option *options, size_t room);

void wm_help_print(void);
void wm_help_print_command(const struct wm_command *command);

#endif
