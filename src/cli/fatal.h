/* The only places where the tool reports errors and ends: one line on standard error. */
#ifndef WM_CLI_FATAL_H
#define WM_CLI_FATAL_H

/* Prints `waymark: TEXT` and exits with status 1: the input or the machine is at fault. */
_Noreturn void wm_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with status 2: the command line is at fault. */
_Noreturn void wm_fatal_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints `waymark: warning: TEXT` and returns. */
void wm_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
