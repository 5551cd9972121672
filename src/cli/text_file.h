/* A text that a command was told to read. An error ends the tool with one line. */
#ifndef WM_CLI_TEXT_FILE_H
#define WM_CLI_TEXT_FILE_H

#include <stddef.h>

struct wm_text_file {
	char *bytes; /* to be freed; not NULL */
	size_t count;
};

/* Reads the file, which may be a pipe; `-` is standard input. */
struct wm_text_file wm_text_file_read(const char *command, const char *path);

#endif
