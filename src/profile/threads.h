/* What each thread did, as far as the file keeps threads apart: those that no later run has added
 * to the totals yet. */
#ifndef WM_PROFILE_THREADS_H
#define WM_PROFILE_THREADS_H

#include <stddef.h>

#include "profile/profile.h"

struct wm_thread {
	uint32_t process;
	uint32_t thread; /* the kernel's id; that of the process for its first thread */
	uint32_t before; /* threads that counted in the same place before it: they are in these
			    figures, too */
	bool ended;	 /* where it meant to */
	uint64_t instructions;
	uint64_t hottest_instructions;
	const struct wm_profile_function *hottest; /* of the profile; NULL if it did nothing */
};

struct wm_threads {
	size_t count;
	struct wm_thread *threads; /* by falling instructions */
	uint64_t by_key; /* instructions of functions that count by key, where all threads of a
			    process count together */
	int64_t rest;	 /* of earlier runs, which are added up; less than 0: counts of these
			    threads were reset */
};

/* Reads the file of the profile again. The figures of all threads, `by_key` and `rest` add up to
 * the profile's instructions. Everything lives in the arena. */
int wm_threads_read(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_threads *threads, struct wm_error *error);

#endif
