/* The counts of a run by function and path, without the program: what `waymark count --save` keeps
 * and `waymark test` compares with.
 *
 * A path of a snapshot has two identities. Its id is good where the function has the same shape.
 * Its decisions, as the source has them and without lines, also survive a change of the code. */
#ifndef WM_REPORT_SNAPSHOT_H
#define WM_REPORT_SNAPSHOT_H

#include <stdio.h>

#include "profile/inclusive.h"
#include "profile/tally.h"
#include "report/source.h"

/* Paths of one function that a snapshot keeps: those that did most. */
enum { WM_SNAPSHOT_PATHS = 200 };

struct wm_snapshot_path {
	uint64_t id;
	uint64_t count;
	const uint64_t *each;  /* by kind: what one execution does */
	const char *decisions; /* such as `if (n > 0) → yes, while (*s) → no` */
	const char *source;    /* with file and lines (path_form.h); of a run at hand only */
};

struct wm_snapshot_function {
	const char *name; /* as the linker knows it */
	const char *file; /* empty: not known */
	uint32_t line;
	uint32_t shape;		    /* wm_path_cfg_hash */
	uint64_t code;		    /* hash of what its instructions do; 0: not known */
	uint64_t entered;	    /* how often it was called; 0 if that is not known */
	struct wm_interval *counts; /* by kind */
	bool has_paths;		    /* they were counted */
	bool has_more_paths;	    /* than are here */
	bool varies;		    /* from run to run, as far as was tried */
	size_t path_count;
	struct wm_snapshot_path *paths;		/* by instructions, most first */
	const struct wm_profile_function *live; /* of a run at hand; or NULL */
};

struct wm_snapshot {
	const char *program;  /* path */
	const char *build_id; /* as text */
	uint64_t runs;
	struct wm_event_kinds kinds;
	struct wm_interval *totals; /* by kind */
	size_t function_count;
	struct wm_snapshot_function *functions; /* in the order of the profile */
	size_t unknown_count;			/* functions of which nothing is known */
	bool sums_only;				/* only totals are known, as running sums */
	size_t inclusive_count;
	const struct wm_inclusive_call *inclusive; /* of a run at hand */
};

/* Of the profile, its paths included if `paths`. Of functions with paths only those above
 * WM_SNAPSHOT_PATHS are left out. */
void wm_snapshot_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, struct wm_sources *sources, bool paths,
	struct wm_snapshot *snapshot);

/* Describes the paths of one function: which `paths` of wm_snapshot_make left out. */
void wm_snapshot_add_paths(struct wm_arena *arena, const struct wm_snapshot *snapshot,
	struct wm_snapshot_function *function, struct wm_sources *sources);

/* Writes it as JSON (docs/schemas/counts.schema.json). */
void wm_snapshot_write(const struct wm_snapshot *snapshot, FILE *out);

/* Reads what wm_snapshot_write wrote; the path is for the text of errors. WM_ERROR_INPUT says what
 * is wrong. */
int wm_snapshot_read(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_snapshot *snapshot, struct wm_error *error);

/* Position of the kind of that name, or WM_NO_KIND. */
#define WM_NO_KIND SIZE_MAX
size_t wm_snapshot_kind(const struct wm_snapshot *snapshot, const char *name);

#endif
