/* Samples of `perf record`, laid onto the functions and source lines of a profile.
 *
 * A sample lies in a symbol of the program; the symbol is a function that was counted, or other
 * code. Its line is that of the line table. Nothing is guessed: what more than one place fits
 * belongs to none.
 */
#ifndef WM_PROFILE_TIME_SAMPLES_H
#define WM_PROFILE_TIME_SAMPLES_H

#include "profile/perf_script.h"
#include "profile/profile.h"

struct wm_time_tally {
	uint64_t samples;
	double weight;	/* sum of what they stand for */
	double squares; /* and of its squares: for the error */
};

struct wm_time_place {
	const char *name;     /* of an object outside; of a source file, without its folders */
	unsigned line;	      /* of a source file */
	const char *function; /* of a line: the linker's name of the symbol it is in */
	struct wm_time_tally time;
};

struct wm_time {
	const char *event;
	bool nanoseconds; /* what samples stand for; otherwise it is whatever the event counts */
	struct wm_time_tally all;
	struct wm_time_tally program;	 /* in objects of the profile */
	struct wm_time_tally *function;	 /* by function of the profile */
	struct wm_time_tally other_code; /* of these objects, in functions that were not counted */
	struct wm_time_tally unplaced;	 /* of these objects, but not in one known symbol */
	struct wm_time_tally without_line; /* in a symbol, but of no known line */
	uint64_t other_events;		   /* samples left out: of further events */
	uint64_t other_programs;	   /* and of commands that never ran the program */
	size_t outside_count;
	struct wm_time_place *outside; /* libraries and the kernel, by falling weight */
	size_t line_count;
	struct wm_time_place *lines; /* by falling weight */
};

/* Lays the samples onto the profile, into the arena. WM_ERROR_MISMATCH: none of them is in the
 * profile's objects, or none of their symbols is there; WM_ERROR_SYSTEM or WM_ERROR_INPUT: an
 * object cannot be read, or is of another build than the profile. */
int wm_time_lay(struct wm_arena *arena, const char *name, const struct wm_perf_samples *samples,
	const struct wm_profile *profile, struct wm_time *time, struct wm_error *error);

/* Its part of all, 0 to 1. */
double wm_time_share(const struct wm_time *time, const struct wm_time_tally *tally);

/* How far that is from the truth at most, in 95 of 100 recordings, if samples are independent. */
double wm_time_share_error(const struct wm_time *time, const struct wm_time_tally *tally);

#endif
