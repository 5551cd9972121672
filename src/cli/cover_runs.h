/* The runs that coverage is of. An error ends the tool with one line. */
#ifndef WM_CLI_COVER_RUNS_H
#define WM_CLI_COVER_RUNS_H

#include "profile/ran_paths.h"

struct wm_cover_runs {
	size_t profile_count;
	struct wm_profile *profiles; /* a sum for each program */
	struct wm_ran_paths *paths;  /* of the same runs; NULL: not counted in all programs */
	uint64_t runs;
	uint64_t cut_short;
};

/* Reads what the words stand for: profiles as for wm_load_profiles, and the tests of stores. */
void wm_cover_runs_read(struct wm_arena *arena, const char *command, char **words, size_t count,
	const char *binary, struct wm_cover_runs *runs);

/* Calls back with each profile, or each test of a store, by itself, and its label. */
void wm_cover_runs_each(const char *command, char **words, size_t count, const char *binary,
	void (*take)(void *context, const char *label, const struct wm_profile *profiles,
		size_t profile_count),
	void *context);

/* Names of the programs, for a heading, in the arena. */
const char *wm_cover_runs_programs(struct wm_arena *arena, const struct wm_cover_runs *runs);

#endif
