/* Options of the commands: `--name`, `--name=VALUE` or `--name VALUE`, anywhere among the
 * arguments. */
#ifndef WM_CLI_OPTIONS_H
#define WM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct wm_option {
	const char *name;   /* with its dashes: "--top" */
	const char **value; /* receives VALUE; NULL for a flag */
	bool *flag;	    /* set to true when the option is given; may be NULL */
};

/* Stores the options' values and removes them from argv, where argv[0] is the command and stays.
 * Returns the number n of arguments left, which are then argv[1] .. argv[n]; `--` ends the options
 * and is removed too. An unknown option, a missing or an unwanted value ends the tool with status 2
 * and one line that starts with the command's name. */
int wm_options_parse(const char *command, int argc, char **argv, const struct wm_option *options,
	size_t option_count);

/* A number of rows, 1 or more; anything else ends the tool in the same way. */
size_t wm_options_number(const char *command, const char *option, const char *text);

/* Whether the value of --names asks for the whole names of paths; ends the tool with one line
 * unless it is short or full. */
bool wm_options_full_names(const char *command, const char *value);

#endif
