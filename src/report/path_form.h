/* The source form of a path: the lines that it runs through and the outcome of each branch, such as
 *
 *	parse.c:120-131 [T] 140 [F] 152-160 -> 118
 *
 * Code that was inlined from other files stands there as the line of its call. A range holds no
 * line of the function that the path leaves out, and ends where another function starts. Behind a
 * block with two branches stands whether the first was taken, T, or the second, F. Behind a block
 * with more stands the line that it went to. An arrow leads along the cut edge that ends the path
 * to the line where the next one starts. A path that was left inside a call is marked as left
 * early, one that ends in a call that never comes back as of no return.
 */
#ifndef WM_REPORT_PATH_FORM_H
#define WM_REPORT_PATH_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/graph/cfg.h"
#include "names/block_lines.h"
#include "profile/profile.h"

/* Facts about a function that are needed repeatedly while its paths are shown. */
struct wm_path_map {
	const struct wm_function *function;
	struct wm_cfg *cfg;
	const struct wm_block_line **lines; /* by block */
	size_t *line_count;		    /* by block */
	bool *own_lines; /* by block: some of its lines are in the function's own file */
	size_t known_count;
	struct wm_block_line *known; /* every line of the function, by file and line, each once */
	bool *apart; /* by known line: a function starts between the one before and this */
};

/* How a path goes on behind one of its blocks. */
struct wm_path_step {
	uint32_t block;
	uint32_t edge;	   /* by which it goes on, or WM_NONE if it was left where no call is */
	uint32_t branches; /* how many edges leave the block, without those of calls that do not
			      come back */
	uint32_t branch;   /* which of them it took, from 0 */
	uint32_t towards;  /* the vertex it goes on to or, if no line of that is shown, the next on
			      the path with one */
};

struct wm_path_map wm_path_map_make(struct wm_arena *arena, const struct wm_function *function);

/* A step for each block of the path. */
struct wm_path_step *wm_path_steps(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_profile_path *path);

/* The outcome of a step as it stands between the brackets; an empty text where there was no choice.
 */
const char *wm_path_outcome(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_step *step);

/* The form of paths that run one after another. */
char *wm_path_form(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count);

#endif
