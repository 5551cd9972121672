#include "cli/find_store.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/run_folder.h"

static const char name[] = "waymark.db";

/* Looks in this folder and in those above it. */
static const char *look_upwards(struct wm_arena *arena, char *folder)
{
	for (;;) {
		char *path = wm_arena_alloc(arena, strlen(folder) + sizeof name + 1, 1);
		sprintf(path, "%s/%s", strcmp(folder, "/") ? folder : "", name);
		if (access(path, F_OK) == 0)
			return path;
		char *slash = strrchr(folder, '/');
		if (!slash || strcmp(folder, "/") == 0)
			return NULL;
		slash[slash == folder] = '\0';
	}
}

const char *wm_find_store(struct wm_arena *arena, const char *option, bool make)
{
	char folder[PATH_MAX];
	const char *chosen = getenv("WAYMARK_STORE");
	if (option)
		return option;
	if (chosen && chosen[0])
		return chosen;
	const char *found = getcwd(folder, sizeof folder) ? look_upwards(arena, folder) : NULL;
	if (found || make)
		return found ? found : name;
	wm_fatal("there is no %s here or above; name a store with --store=DB, or make one with "
		 "`waymark run -- COMMAND`",
		name);
}

struct wm_store *wm_find_store_open(
	struct wm_arena *arena, const char *option, enum wm_store_access access)
{
	struct wm_store *store;
	struct wm_error error;
	const char *place = wm_find_store(arena, option, access == WM_STORE_MAKE);
	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error as any other */
	if (wm_store_open(place, access, &store, &error) < 0)
		wm_fatal("%s", error.text);
	wm_run_folder_settle_all(arena, store, place);
	return store;
}
