/* Runs of a store as profiles. An error ends the tool with one line. */
#ifndef WM_CLI_STORED_RUNS_H
#define WM_CLI_STORED_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile.h"

/* Whether the word names a store: it ends with .db, or is a SQLite file. */
bool wm_stored_runs_is_store(const char *word);

/* What some runs counted: a profile for each program and library. */
struct wm_stored_runs {
	const char *label;
	uint32_t machine; /* a number of its host, from 1 */
	uint64_t runs; /* how often programs started */
	uint64_t cut_short;
	bool incomplete;
	size_t count;
	struct wm_profile *profiles;
};

/* All runs of the kind (test, field), added up. */
void wm_stored_runs_all(struct wm_arena *arena, const char *command, const char *place,
	const char *kind, struct wm_stored_runs *all);

/* Calls back with each run of the kind, machine by machine or, `by_label`, with the sum of those of
 * each label. */
void wm_stored_runs_each(const char *command, const char *place, const char *kind, bool by_label,
	void (*take)(void *context, const struct wm_stored_runs *runs), void *context);

#endif
