/* Other programs: asking one for its version, and running one to its end. */
#ifndef WM_CLI_PROCESS_H
#define WM_CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs PROGRAM ARGUMENT (looked up in PATH) and stores the first line it prints, without its end.
 * False if it cannot be run, fails or prints nothing. */
bool wm_process_first_line(const char *program, const char *argument, char *line, size_t bytes);

#endif
