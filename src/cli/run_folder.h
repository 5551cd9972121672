/* The folder of a run: where its programs write their profiles, and a note that says what run it is.
 *
 * Folders of one store lie together, in one of $TMPDIR that only this user may enter. Its
 * `waymark run` adds what it finds there and removes the folder. If that was killed, or the store
 * could not be written, the next command that uses the store does the same, once no process counts
 * there any more. So no run is lost, and its uuid lets none be added twice. */
#ifndef WM_CLI_RUN_FOLDER_H
#define WM_CLI_RUN_FOLDER_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "store/store.h"

struct wm_run_folder {
	char *path;
	char *pattern; /* for WAYMARK_FILE */
	int lock;      /* of the note; held as long as `waymark run` lives */
};

/* Makes the folder of a run that is about to start. WM_ERROR_SYSTEM: it cannot be made. */
int wm_run_folder_make(struct wm_arena *arena, const char *place, const struct wm_store_run *run,
	struct wm_run_folder *folder, struct wm_error *error);

/* Notes how the run ended. */
int wm_run_folder_note(const struct wm_run_folder *folder, const struct wm_store_run *run,
	struct wm_error *error);

enum wm_run_folder_end {
	WM_RUN_ADDED,
	WM_RUN_EMPTY,	 /* there was no profile */
	WM_RUN_CONTINUES /* processes still count: it stays for later */
};

/* Adds the run to the store and removes the folder. After an error the folder stays. */
int wm_run_folder_settle(struct wm_store *store, const char *path, enum wm_run_folder_end *end,
	struct wm_error *error);

/* The same for all folders of the store whose `waymark run` is gone; those that cannot be added
 * stay, with a warning. */
void wm_run_folder_settle_all(struct wm_arena *arena, struct wm_store *store, const char *place);

#endif
