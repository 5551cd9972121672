/* Other processes: asking a program for its version, and whether a process still lives. */
#ifndef WM_CLI_PROCESS_H
#define WM_CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs PROGRAM ARGUMENT (looked up in PATH) and stores the first line it prints, without its end.
 * False if it cannot be run, fails or prints nothing. */
bool wm_process_first_line(const char *program, const char *argument, char *line, size_t bytes);

/* Whether the process lives and is the one that started then (clock ticks since boot; 0: any). */
bool wm_process_lives(uint32_t process, uint64_t start);

#endif
