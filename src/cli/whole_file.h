/* An output that is there as a whole or not at all. An error ends the tool with one line. */
#ifndef WM_CLI_WHOLE_FILE_H
#define WM_CLI_WHOLE_FILE_H

#include <stdio.h>

struct wm_whole_file {
	const char *path; /* as it was named */
	char *target;	  /* behind all links; NULL: what is written goes to the stream at once */
	char *temporary;  /* beside it */
	FILE *stream;
};

/* Begins a file; `-` is standard output. What is no regular file (/dev/null, a pipe) is written as
 * it is. */
void wm_whole_file_begin(struct wm_whole_file *file, const char *path);

/* Puts the file in its place. */
void wm_whole_file_end(struct wm_whole_file *file);

#endif
