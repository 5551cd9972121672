/* A store of runs: what any number of runs counted, with the descriptions of their programs, so that
 * neither programs nor .wmk files are needed later.
 *
 * Of each run the store keeps its counters, as they were counted (raw). Two things are made of
 * them. Counters of chosen runs are added up as a `struct wm_file` with the program packed into it:
 * whatever reads a .wmk file reads this (profile/profile.h). And *items*: which paths of which
 * functions were taken in which runs. These are derived when they are asked for first, and kept.
 *
 * A run is in a store once or not at all: it is found again by its uuid. */
#ifndef WM_STORE_STORE_H
#define WM_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/file.h"
#include "profile/object.h"

enum { WM_STORE_VERSION = 1, WM_RUN_UUID_BYTES = 16 };

struct wm_store;

enum wm_store_access {
	WM_STORE_USE, /* it must be there */
	WM_STORE_MAKE /* it is made if it is not */
};

struct wm_store_run {
	int64_t id; /* in this store */
	uint8_t uuid[WM_RUN_UUID_BYTES];
	const char *kind;    /* test or field */
	const char *label;   /* of the test, or of the field's instance */
	const char *host;    /* the machine */
	const char *outcome; /* pass, fail:STATUS, signal:NUMBER or unknown */
	int64_t started;     /* microseconds since 1970 */
	int64_t cpu;	     /* microseconds of processors, of all its processes */
	uint64_t executions; /* how often programs started; 0: a later part of one that went on */
	uint64_t cut_short;  /* threads that did not end where they meant to */
	uint32_t status;     /* enum wm_chunk_status */
};

/* Opens a store: a path of a SQLite file, or postgresql://…. Errors, also of all others below:
 * WM_ERROR_SYSTEM: the database refuses, is locked, or is not there; WM_ERROR_INPUT: it is no
 * store, one of another version, or what it holds is damaged. */
int wm_store_open(const char *place, enum wm_store_access access, struct wm_store **store,
	struct wm_error *error);
void wm_store_close(struct wm_store *store);

/* Whether the place is one of a server, postgresql://…, and no path. */
bool wm_store_is_server(const char *place);

/* The place as messages name it: without a password. */
const char *wm_store_place(const struct wm_store *store);

/* Gives the run a uuid that no other has. */
void wm_store_name_run(struct wm_store_run *run);

/* A uuid that follows from these bytes. */
void wm_store_uuid_of(const void *bytes, size_t count, uint8_t uuid[WM_RUN_UUID_BYTES]);

/* Adds a run with what it counted: files of programs, their libraries in them. Executions, threads
 * cut short and status are taken from the files. *added is false if the store has a run of that
 * uuid: then nothing changes. Programs must be where they ran, packed into their file, or kept.
 * WM_ERROR_MISMATCH: one is not. After an error nothing was added. */
int wm_store_add(struct wm_store *store, const struct wm_store_run *run,
	const struct wm_file *files, size_t count, bool *added, struct wm_error *error);

/* How adding a .wmk file ended. */
enum wm_store_file_news {
	WM_STORE_FILE_NEW,     /* it was added as a run */
	WM_STORE_FILE_GREW,    /* what was counted since it was last added is now a run, too */
	WM_STORE_FILE_THE_SAME /* nothing was counted since, or its copy was added */
};

/* Adds what the .wmk file at the path holds and the store does not have yet; its uuid follows from
 * the file. A file is known again by host, path and program. Other errors as of wm_file_read. */
int wm_store_add_file(struct wm_store *store, const struct wm_store_run *run, const char *path,
	enum wm_store_file_news *news, struct wm_error *error);

/* Which runs are meant; a member that is NULL or 0 asks for nothing. */
struct wm_store_filter {
	const char *label;   /* pattern of fnmatch */
	const char *kind;    /* test, field */
	const char *outcome; /* pattern of fnmatch */
	int64_t before;	     /* started earlier than that */
	int64_t run;	     /* only this one */
};

bool wm_store_filter_fits(const struct wm_store_filter *filter, const struct wm_store_run *run);

/* The runs that the filter (NULL: all) asks for, in the order in which they were added. */
int wm_store_runs(struct wm_arena *arena, struct wm_store *store,
	const struct wm_store_filter *filter, struct wm_store_run **runs, size_t *count,
	struct wm_error *error);

/* What these runs counted, added up: a file for each object (programs and libraries alike), with
 * the object packed into it. wm_profile_make(…, NULL, …) gives its exact counts. */
int wm_store_files(struct wm_arena *arena, struct wm_store *store, const struct wm_store_run *runs,
	size_t run_count, struct wm_file **files, size_t *count, struct wm_error *error);

/* Which place of a function an item is. */
enum wm_store_part {
	WM_PART_PATH,
	WM_PART_EARLY, /* a path that was left inside a call */
	WM_PART_BLOCK, /* of a function whose paths were not counted */
	WM_PART_OTHERS /* paths that a build did not tell apart (--select, --prefer) */
};

enum { WM_STORE_PARTS = WM_PART_OTHERS + 1 };

/* A function of any program in the store: the same function of two builds if all of name, file,
 * shape and code are the same. */
struct wm_store_function {
	int64_t id;
	const char *name; /* the linker's */
	const char *file; /* of its source; may be empty */
	uint32_t line;
	uint32_t shape;	   /* wm_path_cfg_hash */
	uint64_t code;	   /* hash of what it does; 0: not known */
	uint64_t possible; /* paths; 0: not known */
	int64_t object;	   /* the newest that it is in */
	uint32_t place;	   /* among the functions of that */
};

/* A path or block that ran, and the runs that it ran in. */
struct wm_store_item {
	size_t function; /* into functions */
	enum wm_store_part part;
	uint64_t id; /* of the path or block */
	uint64_t *runs; /* a bit for each of the runs that were asked for */
};

struct wm_store_object {
	int64_t id;
	struct wm_build_id build_id;
	const char *path; /* where it was */
};

struct wm_store_items {
	size_t object_count;
	struct wm_store_object *objects; /* by id */
	size_t run_count;
	size_t words; /* of 64 runs, in each item */
	size_t function_count;
	struct wm_store_function *functions; /* by id */
	size_t count;
	struct wm_store_item *items; /* by function, part and id; those that ran in one of the runs */
};

/* Is told how many runs have been derived, of how many; may be NULL. */
struct wm_store_progress {
	void (*tell)(void *context, size_t done, size_t total);
	void *context;
};

/* What ran in which of the runs, by rising id. What was never asked for before is derived first. */
int wm_store_items_read(struct wm_arena *arena, struct wm_store *store,
	const struct wm_store_run *runs, size_t run_count,
	const struct wm_store_progress *progress, struct wm_store_items *items,
	struct wm_error *error);

/* A path or block that ran in the field, and in no test. */
struct wm_store_news {
	struct wm_store_function function;
	enum wm_store_part part;
	uint64_t id;
	int64_t count;
	int64_t first; /* microseconds since 1970: when the first run was added that took it */
};

/* Those that no run took that started before that time; what was never asked for before is derived
 * first. */
int wm_store_news(struct wm_arena *arena, struct wm_store *store, int64_t since,
	struct wm_store_news **news, size_t *count, struct wm_error *error);

/* The object with that id, decoded. */
int wm_store_object_read(struct wm_arena *arena, struct wm_store *store, int64_t id,
	struct wm_object *object, struct wm_error *error);

/* Takes runs out, with all that was derived of them. */
int wm_store_remove(struct wm_store *store, const struct wm_store_run *runs, size_t count,
	struct wm_error *error);

/* Adds the runs of another store that are not in this one yet; *added counts them. */
int wm_store_merge(struct wm_store *store, struct wm_store *other, size_t *added,
	struct wm_error *error);

#endif
