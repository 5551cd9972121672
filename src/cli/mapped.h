/* The profiles that a running process counts into. */
#ifndef WM_CLI_MAPPED_H
#define WM_CLI_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/arena.h"

struct wm_mapped {
	const char *name; /* as the process knows it */
	const char *path; /* under which it can be opened from here */
	bool deleted;	  /* the name is gone; only the process, and root, still reach the file */
};

struct wm_mapped_list {
	size_t count;
	struct wm_mapped *files;
};

/* Lists the profiles among the files that the process maps and shares, each once. Ends the tool
 * with one line if there is no such process, or it is somebody else's. */
struct wm_mapped_list wm_mapped_profiles(struct wm_arena *arena, pid_t process);

#endif
