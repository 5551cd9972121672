/* Sets of paths as people write them: the PATHS of the command line.
 *
 * A list, separated by commas or line ends, of
 *	parse#17                       a path by its name
 *	hot:90%                        the hottest paths, that make up 90 % of what ran
 *	function:parse_*               all paths of the functions whose name matches,
 *	                               as the linker knows it or in short
 *	parse.c:120&&parse.c:188       all paths through each of these lines
 *	@tested.wmp                    the paths of a saved set (format/path_set_file.h), in
 *	                               functions whose code has not changed since
 * Whoever has a function and its numbering (core/paths/paths.h) asks for the ids of its paths in
 * the set; afterwards the set knows what matched and what did not.
 */
#ifndef WM_NAMES_PATH_SET_H
#define WM_NAMES_PATH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/paths/paths.h"
#include "format/path_set_file.h"
#include "names/path_name.h"

enum wm_path_item_kind {
	WM_PATH_ITEM_NAME,
	WM_PATH_ITEM_HOT,
	WM_PATH_ITEM_FUNCTION,
	WM_PATH_ITEM_LINES,
	WM_PATH_ITEM_SAVED
};

/* The best that happened to an item so far. */
enum wm_path_fate {
	WM_PATH_FATE_UNSEEN,	  /* no function of this name; no code at some of the lines */
	WM_PATH_FATE_OTHER_SHAPE, /* the function is there, but not as it was when the name was made
				     or the set was saved */
	WM_PATH_FATE_NO_PATH,	  /* it has no path of this number; none through all the lines */
	WM_PATH_FATE_MATCHED
};

struct wm_path_line {
	const char *file; /* the end of its path */
	uint32_t line;
	bool seen;
};

struct wm_path_item {
	const char *text; /* as written */
	enum wm_path_item_kind kind;
	double percent;	  /* HOT */
	const char *glob; /* FUNCTION */
	size_t name_count;
	struct wm_path_name *names; /* NAME: one; HOT: those that it stands for */
	size_t line_count;
	struct wm_path_line *lines;  /* LINES */
	struct wm_saved_paths saved; /* SAVED */
	enum wm_path_fate fate;
};

struct wm_path_set {
	size_t item_count;
	struct wm_path_item *items;
	bool needs_profile; /* some item is HOT and not resolved yet */
};

/* Ids `first` to `first + count - 1`. */
struct wm_path_range {
	uint64_t first;
	uint64_t count;
};

struct wm_path_ranges {
	size_t count;
	struct wm_path_range *ranges; /* rising, none empty, none next to another */
	uint64_t paths;		      /* in all of them */
};

/* Reads the text, and the saved sets that it names. WM_ERROR_INPUT: an item is none of the five, or
 * there is none at all, or a saved set is damaged; WM_ERROR_SYSTEM: it cannot be read. */
int wm_path_set_parse(
	struct wm_arena *arena, const char *text, struct wm_path_set *set, struct wm_error *error);

/* The ids of the function's paths that are in the set; `paths` is the function's numbering.
 * Requires a set that needs no profile any more. WM_ERROR_INPUT if lines select so many paths in so
 * many pieces that they cannot be listed. */
int wm_path_set_match(struct wm_arena *arena, struct wm_path_set *set,
	const struct wm_function *function, const struct wm_paths *paths,
	struct wm_path_ranges *ranges, struct wm_error *error);

/* Whether the id is in one of the ranges. */
bool wm_path_ranges_have(const struct wm_path_ranges *ranges, uint64_t id);

/* After all functions were matched: 0 if all items did, else WM_ERROR_MISMATCH and one line that
 * says how many did, and of the others which and why. Unless `whole_program`, functions and lines
 * that were not seen may be elsewhere and are no reason. */
int wm_path_set_check(const struct wm_path_set *set, bool whole_program, struct wm_error *error);

#endif
