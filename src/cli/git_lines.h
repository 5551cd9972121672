/* The lines that a range of commits changes, asked of git. An error ends the tool with one line. */
#ifndef WM_CLI_GIT_LINES_H
#define WM_CLI_GIT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

/* Lines that are new or changed in one file. */
struct wm_git_file {
	const char *path; /* absolute */
	size_t count;
	size_t capacity;
	struct {
		uint32_t first, last;
	} *lines; /* rising */
};

struct wm_git_lines {
	const char *root; /* of the working tree */
	size_t count;
	size_t capacity;
	struct wm_git_file *files;
};

/* What `git diff RANGE` adds or changes in the repository of the working directory. */
struct wm_git_lines wm_git_lines_read(
	struct wm_arena *arena, const char *command, const char *range);

/* Whether the line of the file is one of them; the file is named by its whole path. */
bool wm_git_lines_have(const struct wm_git_lines *lines, const char *file, uint32_t line);

#endif
