/* A profile: every function of an object with the counts of its blocks and edges. */
#ifndef WM_PROFILE_PROFILE_H
#define WM_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "format/description.h"
#include "profile/file.h"
#include "profile/object.h"

struct wm_profile_function {
	const struct wm_function *function;
	const uint64_t *block; /* by block: how often it was entered */
	const uint64_t *edge;  /* by edge, in the order of the description; NULL if not known */
	uint64_t calls;
	uint64_t instructions; /* executed, in the compiler's intermediate form */
	uint64_t increments;   /* of its counters */
	uint64_t
		block_entries; /* sum over its blocks: the increments of a counter in every block */
};

struct wm_profile {
	struct wm_object object;
	struct wm_file file;
	uint32_t function_count;
	struct wm_profile_function *functions; /* in the order of the object's descriptions */
	uint32_t executed_functions;	       /* called at least once */
	uint64_t instructions;		       /* sums over all functions */
	uint64_t counters;
	uint64_t blocks;
	uint64_t increments;
	uint64_t block_entries;
};

/* Joins a file with its object: the one at `binary`, or if NULL at the path the file holds. Takes
 * over *file. Besides the errors of wm_object_read, WM_ERROR_MISMATCH if the object is of another
 * build (the text names both ids), WM_ERROR_INPUT if a function's counters do not determine its
 * counts. */
int wm_profile_make(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile, struct wm_error *error);

#endif
