/* How wide what is printed may be. */
#ifndef WM_REPORT_TERMINAL_H
#define WM_REPORT_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Characters of a line: COLUMNS if it is a number, otherwise those of the terminal that the stream
 * is, otherwise 100. */
size_t wm_terminal_width(FILE *stream);

#endif
