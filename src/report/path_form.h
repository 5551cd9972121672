/* The source form of a path: the lines that it runs through, the outcome of each branch as the
 *source has it, and how the path ends, such as
 *
 *	parse.c:120-130, 131 while (n > 0) → yes, 140 → line 152, 152-160, next iteration at line
 *118
 *
 * Code that was inlined from other files stands there as the line of its call. A range holds no
 * line of the function that the path leaves out, and ends where another function starts. A branch
 * is shown by its condition, or by line and column without the source. Where the optimiser has made
 * the outcome unknowable, an arrow leads to the line that control went to.
 */
#ifndef WM_REPORT_PATH_FORM_H
#define WM_REPORT_PATH_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/graph/cfg.h"
#include "core/graph/loops.h"
#include "names/block_lines.h"
#include "profile/profile.h"
#include "report/path_choices.h"
#include "report/source.h"

/* Facts about a function that are needed repeatedly while its paths are shown. */
struct wm_path_map {
	const struct wm_function *function;
	const struct wm_profile_function *source; /* with its counts */
	struct wm_sources *sources;		  /* NULL: no text is shown */
	struct wm_cfg *cfg;
	struct wm_choices choices;
	bool *back_edge; /* by edge */
	struct wm_loops loops;
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

struct wm_path_map wm_path_map_make(struct wm_arena *arena,
	const struct wm_profile_function *function, struct wm_sources *sources);

/* A step for each block of the path. */
struct wm_path_step *wm_path_steps(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_profile_path *path);

/* Where the edge leads: its target or, if no line of that is shown, the next vertex with a line
 * that control must come to. */
uint32_t wm_path_towards(const struct wm_path_map *map, uint32_t edge);

/* Whether the code has a choice there. */
bool wm_path_step_chooses(const struct wm_path_map *map, const struct wm_path_step *step);

/* What is decided behind the block of a step, in the order in which it was. */
const struct wm_path_choice *wm_path_choices(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_path_step *step, size_t *count);

/* How a choice went: `yes`, `case 'x'`; or `→ line 152` where that is all that is known. */
const char *wm_path_outcome(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice);

/* The same behind its condition. */
const char *wm_path_choice_text(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice);

/* How a path ends: `returns`, `next iteration at line 118`; an empty text if nothing needs to be
 * said, because the piece that comes next shows it. */
const char *wm_path_ending(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, bool goes_on);

/* The form of paths that run one after another; `separator` stands between lines and branches. */
char *wm_path_form(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *const *pieces, size_t piece_count, const char *separator);

#endif
