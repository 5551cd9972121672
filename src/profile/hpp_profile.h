/* A profile of the hardware path profiler: read from a `.wmh` file, or made from branches. */
#ifndef WM_PROFILE_HPP_PROFILE_H
#define WM_PROFILE_HPP_PROFILE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/hpp_file.h"

struct wm_hpp_profile {
	const char *name;    /* of the file */
	const char *program; /* that ran, or NULL */
	struct wm_hpp_head head;
	struct wm_control control;
	uint64_t paths, cells, sketched, objects, blocks, code_bytes, text_bytes;
	const struct wm_exact_path *path; /* the heaviest first */
	const struct wm_hot_cell *cell;
	const struct wm_hot_cell *sketch;
	const struct wm_hpp_object *object;
	const struct wm_hpp_block *block; /* by start */
	const uint8_t *code;
	const char *text;
};

/* Takes the bytes of a file, which are untrusted; the profile's arrays are copies in the arena.
 * WM_ERROR_INPUT says what is wrong. */
int wm_hpp_profile_decode(struct wm_arena *arena, const char *name, const void *bytes, size_t count,
	struct wm_hpp_profile *profile, struct wm_error *error);

/* Takes what a profiler has; its arrays must outlive the profile. */
void wm_hpp_profile_of(struct wm_arena *arena, const char *name, const struct wm_profiler *profiler,
	struct wm_hpp_profile *profile);

/* A path's weight: its executions, or its events if those are counted. */
uint64_t wm_hpp_weight(const struct wm_hpp_profile *profile, const struct wm_exact_path *path);

/* The block that starts there, or NULL. */
const struct wm_hpp_block *wm_hpp_block_at(const struct wm_hpp_profile *profile, uint64_t start);

/* The object that the address lies in, or NULL. */
const struct wm_hpp_object *wm_hpp_object_at(const struct wm_hpp_profile *profile, uint64_t address);

/* The object's name: its file. */
const char *wm_hpp_object_name(
	const struct wm_hpp_profile *profile, const struct wm_hpp_object *object);

/* The overlap of the table with all paths, 0 to 1, and what it says of heavy paths. */
struct wm_hpp_overlap {
	double share;
	double caught_weight; /* of all weight, that of paths in the table */
	uint64_t heavy, heavy_caught; /* paths of at least 0.5% */
	const struct wm_exact_path *largest_miss;
};

struct wm_hpp_overlap wm_hpp_overlap(const struct wm_hpp_profile *profile);

/* Follows a path through the code. */
struct wm_hpp_step {
	const struct wm_hpp_block *block;
	int outcome; /* 0, 1; -1: no bit was recorded, or the path ends before it */
};

/* The blocks of a path, in the arena; fewer if code is missing. */
struct wm_hpp_step *wm_hpp_follow(struct wm_arena *arena, const struct wm_hpp_profile *profile,
	const struct wm_exact_path *path, size_t *count);

#endif
