/* Which paths some runs took, of many runs, builds and labels: what tests did, or the field.
 *
 * Functions are told apart by name, file, shape and code, so a path that ran in one build is the
 * same path in another only if the function has not changed. A run may come from a profile, from a
 * saved set (.wmp), or from elsewhere; what is asked of them is the same. Only paths with a count
 * above zero are in; counts are signed.
 */
#ifndef WM_PROFILE_RAN_PATHS_H
#define WM_PROFILE_RAN_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "format/path_set_file.h"
#include "profile/profile.h"

enum { WM_RAN_LABELS = 3 };

struct wm_ran_path {
	uint64_t id;
	uint64_t count;	    /* in all runs; of a saved set 1 */
	uint64_t cut_short; /* threads that were cut short, in the runs that have it */
	uint32_t samples;   /* that have it */
	uint32_t
		machines; /* that have it: right if samples of one machine come one after another */
	uint32_t machine; /* the last of them */
	bool partial;
	uint8_t label_count;		/* of those noted here */
	uint32_t labels[WM_RAN_LABELS]; /* of the first samples that have it */
};

struct wm_ran_function {
	struct wm_saved_function key; /* without ranges */
	bool entered;		      /* some path is certain to have run */
	size_t count;
	size_t capacity;
	struct wm_ran_path *paths; /* by rising id */
};

struct wm_ran_paths {
	struct wm_arena *arena;
	size_t function_count;
	size_t capacity;
	struct wm_ran_function *functions; /* as they came */
	size_t slot_count;
	uint32_t *slots; /* by hash of the name: functions, or WM_NONE */
	size_t label_count;
	size_t label_capacity;
	const char **labels; /* each once */
	size_t samples;	     /* profiles, runs or sets that were added */
	uint32_t machines;   /* that these are of */
	uint32_t machine;    /* of the last one */
	uint64_t runs;	     /* that they are of */
	uint64_t cut_short;
	bool incomplete; /* counts were lost in some run */
	bool from_sets;	 /* some were saved sets: counts and runs are not known */
};

/* A set without runs. */
struct wm_ran_paths wm_ran_paths_start(struct wm_arena *arena);

/* The number of the label. */
uint32_t wm_ran_paths_label(struct wm_ran_paths *ran, const char *label);

/* What one sample is known by. */
struct wm_ran_sample {
	uint32_t label;
	uint32_t machine; /* a number; 0: not known, which counts as one machine */
	uint64_t runs;
	uint64_t cut_short;
	bool incomplete;
};

/* Counts a sample. Then its functions are added, each once. */
void wm_ran_paths_begin(struct wm_ran_paths *ran, const struct wm_ran_sample *sample);

/* Adds paths, by rising id and with counts above zero, of one function of the sample. */
void wm_ran_paths_add(struct wm_ran_paths *ran, const struct wm_ran_sample *sample,
	const struct wm_saved_function *key, const struct wm_ran_path *paths, size_t count);

/* Adds all functions of an object of the sample of which paths were counted; false if there are
 * none. */
bool wm_ran_paths_add_object(struct wm_ran_paths *ran, const struct wm_ran_sample *sample,
	const struct wm_profile *profile);

/* Starts a sample for the profile, of which no paths were counted. */
void wm_ran_paths_begin_profile(
	struct wm_ran_paths *ran, const char *label, const struct wm_profile *profile);

/* Adds all functions of a profile of which paths were counted, as one sample; false if there are
 * none. */
bool wm_ran_paths_add_profile(
	struct wm_ran_paths *ran, const char *label, const struct wm_profile *profile);

void wm_ran_paths_add_saved(
	struct wm_ran_paths *ran, const char *label, const struct wm_saved_paths *saved);

/* Whether the path may not have run: its count is no larger than what threads that were killed
 * while they computed may have added (docs/exactness.md). */
static inline bool wm_ran_path_is_uncertain(const struct wm_ran_path *path)
{
	return path->count <= path->cut_short;
}

/* By what a function is known in sets. */
struct wm_saved_function wm_ran_paths_key(const struct wm_function *function);

/* The function with exactly this key, or NULL. */
const struct wm_ran_function *wm_ran_paths_get(
	const struct wm_ran_paths *ran, const struct wm_saved_function *key);

enum wm_ran_fit {
	WM_RAN_NONE,	/* no function of that name and file */
	WM_RAN_CHANGED, /* there is one, but of another shape or code */
	WM_RAN_SAME
};

/* The function of the set that is the same one, or the nearest; *fit says which. With
 * `across_shape` code is not asked for. */
const struct wm_ran_function *wm_ran_paths_find(const struct wm_ran_paths *ran,
	const struct wm_saved_function *key, bool across_shape, enum wm_ran_fit *fit);

/* Ids of the paths that certainly ran, in the arena. */
const uint64_t *wm_ran_function_ids(
	struct wm_arena *arena, const struct wm_ran_function *function, size_t *count);

/* All paths that certainly ran, as a set to be written; *left_out says how many were uncertain. */
struct wm_saved_paths wm_ran_paths_save(
	struct wm_arena *arena, const struct wm_ran_paths *ran, size_t *left_out);

#endif
