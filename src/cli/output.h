/* A .wmk file that a command writes. An error ends the tool with one line, and nothing is written.
 */
#ifndef WM_CLI_OUTPUT_H
#define WM_CLI_OUTPUT_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "profile/file.h"

struct wm_output {
	const char *path; /* behind all links */
	int descriptor;	  /* of what stands there now, locked; -1: nothing does */
	struct wm_file old;
};

/* Looks at what stands at the path. It must be free or a profile, which is locked against new
 * processes and then read; none may count into it, since that would be lost. */
void wm_output_open(struct wm_arena *arena, const char *path, struct wm_output *output);

/* Puts the sum there, and ends the lock. */
void wm_output_write(struct wm_output *output, const struct wm_file *file);

#endif
