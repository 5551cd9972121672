/* What moved between two snapshots of a program, by function and path: the answer to why a count is
 * no longer what it was.
 *
 * Functions belong together by name and, where a name is there several times, by file. Paths belong
 * together by id where the function has the same shape, otherwise by their decisions. The code that
 * was changed stands first: a function that only runs more often is a consequence. */
#ifndef WM_REPORT_SNAPSHOT_CHANGE_H
#define WM_REPORT_SNAPSHOT_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/snapshot.h"

enum wm_code_change {
	WM_CODE_SAME,
	WM_CODE_CHANGED,
	WM_CODE_NEW, /* the function was not there */
	WM_CODE_GONE,
	WM_CODE_UNKNOWN /* an older base: only the shape is known, and it is the same */
};

struct wm_path_change_of {
	const char *source; /* as text; of a path that is gone its decisions */
	const char *decisions;
	uint64_t before; /* how often it ran */
	uint64_t after;
	uint64_t each_before; /* events of one execution */
	uint64_t each_after;
	int64_t delta; /* events */
};

struct wm_function_change_of {
	const struct wm_snapshot_function *before; /* or NULL */
	const struct wm_snapshot_function *after;  /* or NULL */
	enum wm_code_change code;
	int64_t delta;	/* events */
	bool has_paths; /* of both sides */
	size_t path_count;
	struct wm_path_change_of *paths; /* those that moved, by the size of their deltas */
};

struct wm_snapshot_change {
	int64_t delta; /* of all functions that are compared */
	size_t count;
	struct wm_function_change_of *functions; /* those that moved */
	bool same_code;				 /* of all of these */
	size_t only_before; /* functions of the base that the program does not have any more */
	size_t only_after;
};

/* Of two snapshots that both have the kind of that name; only functions of which `wanted` says
 * true, with `context`; all for NULL. The later snapshot is of a run at hand and may not have its
 * paths yet: those that are needed are added. */
void wm_snapshot_change_make(struct wm_arena *arena, const struct wm_snapshot *before,
	struct wm_snapshot *after, const char *kind, struct wm_sources *sources,
	bool (*wanted)(const struct wm_snapshot_function *function, const void *context),
	const void *context, struct wm_snapshot_change *change);

/* Appends to a text what moved, at most `top` functions and `top` paths of each, one line each. */
void wm_snapshot_change_print(struct wm_arena *arena, const struct wm_snapshot_change *change,
	const char *kind, size_t top, FILE *out);

#endif
