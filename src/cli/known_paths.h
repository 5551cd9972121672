/* Options of `waymark cc` that tell the plug-in of profiles and paths: --use, --binary, --prefer,
 * --select, --strict. */
#ifndef WM_CLI_KNOWN_PATHS_H
#define WM_CLI_KNOWN_PATHS_H

#include <stdbool.h>

#include "format/plugin_options.h"

/* The option's value as the plug-in needs it, wherever it runs: files with absolute names, lists of
 * paths in one line. In the arena if it had to change. */
const char *wm_known_paths_value(struct wm_arena *arena, const char *option, const char *value);

/* Whether the clang arguments make a program of a single source, so that what this does not hold
 * does not exist. False in doubt. */
bool wm_known_paths_is_whole_program(int argument_count, char **arguments);

/* Ends the tool with one line if the lists of paths cannot be read, or need a profile that is not
 * named. */
void wm_known_paths_check(const struct wm_plugin_options *options);

#endif
