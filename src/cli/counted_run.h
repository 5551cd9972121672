/* Running a command for what it costs: its profile goes to a folder of its own, so that no file of
 * the user's gets counts. An error ends the tool with one line. */
#ifndef WM_CLI_COUNTED_RUN_H
#define WM_CLI_COUNTED_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "profile/profile.h"

struct wm_counted_run {
	int status; /* exit status; 128 plus the signal that ended it */
	size_t count;
	struct wm_profile *profiles; /* one for each build that ran */
};

/* Takes the command behind `--` out of the arguments; NULL if there is none. *argc then counts what
 * stands before it. */
char **wm_counted_run_take(int *argc, char **argv);

/* Runs it to its end. `fixed`: with addresses that are the same in each run. It is an error if it
 * runs no program built with waymark cc. */
struct wm_counted_run wm_counted_run(
	struct wm_arena *arena, const char *command, char **words, bool fixed);

/* The profile of the program with this name; of the only one for NULL. */
struct wm_profile *wm_counted_run_choose(
	const char *command, const struct wm_counted_run *run, const char *program);

#endif
