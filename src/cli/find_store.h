/* Which store a command means. An error ends the tool with one line. */
#ifndef WM_CLI_FIND_STORE_H
#define WM_CLI_FIND_STORE_H

#include "core/base/arena.h"
#include "store/store.h"

/* The place of the store: what --store says (`option`, or NULL), else WAYMARK_STORE, else waymark.db
 * of the working directory or of the nearest one above it; else waymark.db here, if `make`, or a
 * line that names what to do. */
const char *wm_find_store(struct wm_arena *arena, const char *option, bool make);

/* Opens it, and adds the runs whose `waymark run` was killed (cli/run_folder.h). */
struct wm_store *wm_find_store_open(
	struct wm_arena *arena, const char *option, enum wm_store_access access);

#endif
