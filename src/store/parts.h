/* What the files of the store share: the open store, and its raw records. */
#ifndef WM_STORE_PARTS_H
#define WM_STORE_PARTS_H

#include "format/sparse.h"
#include "profile/entries.h"
#include "store/database.h"
#include "store/store.h"

struct wm_store {
	struct wm_database *database;
	struct wm_arena arena; /* of what lives as long as the store is open */
};

/* An object as the store has it. */
struct wm_stored_object {
	int64_t id;
	const char *path;
	struct wm_build_id build_id;
	struct wm_bytes record; /* profile/kept.h */
};

/* Makes the tables of a store, or checks that those that are there are of this version. */
int wm_schema_open(struct wm_store *store, enum wm_store_access access, struct wm_error *error);

/* Bytes as the store keeps them: deflated, if that makes them fewer. */
struct wm_bytes wm_pressed_make(struct wm_arena *arena, const void *bytes, size_t count);

/* The bytes again, in the arena, aligned for any type; false if they are damaged. */
bool wm_pressed_open(
	struct wm_arena *arena, const struct wm_value *pressed, struct wm_bytes *bytes);

/* An error of something in the store that makes no sense. */
int wm_store_damaged(const struct wm_store *store, const char *reason, struct wm_error *error);

/* All objects, by id, or those with that one; with their records only if `records`. */
int wm_store_objects(struct wm_arena *arena, struct wm_store *store, int64_t only, bool records,
	struct wm_stored_object **objects, size_t *count, struct wm_error *error);

/* Adds the object unless it is there; *id is its number. The transaction must be alone. */
int wm_store_put_object(struct wm_store *store, const struct wm_stored_object *object,
	uint64_t counters, int64_t *id, struct wm_error *error);

/* The row of a run; *added is false if it is there already. */
int wm_store_put_run(struct wm_store *store, const struct wm_store_run *run, int64_t *id,
	bool *added, struct wm_error *error);

int wm_store_put_raw(struct wm_store *store, int64_t run, int64_t object, uint64_t executions,
	const struct wm_bytes *pressed, struct wm_error *error);

/* What else happens in the transaction that adds a run. */
struct wm_store_also {
	int (*run)(void *context, struct wm_store *store, struct wm_error *error);
	void *context;
};

int wm_store_add_and(struct wm_store *store, const struct wm_store_run *run,
	const struct wm_file *files, size_t count, const struct wm_store_also *also, bool *added,
	struct wm_error *error);

/* The counters of a file as the store keeps them. */
struct wm_bytes wm_store_press(struct wm_arena *arena, const struct wm_file *file);

/* Adds a pressed record to the counters and entries of the file. */
int wm_store_add_record(struct wm_store *store, struct wm_file *file, const struct wm_value *record,
	struct wm_entries *entries, struct wm_error *error);

/* Derives what the runs that were added since ran through: fills the tables total and taken. */
int wm_store_derive(struct wm_store *store, const struct wm_store_progress *progress,
	struct wm_error *error);

extern const char *const wm_store_part_names[WM_STORE_PARTS];

/* Sets of runs as bytes: (gap, length)* of ranges of rising ids. */
struct wm_run_range {
	int64_t first, last;
};

struct wm_run_ranges {
	size_t count, capacity;
	struct wm_run_range *ranges;
};

/* False if the bytes make no sense. */
bool wm_run_ranges_decode(
	struct wm_arena *arena, const void *bytes, size_t size, struct wm_run_ranges *ranges);

/* Adds an id that is larger than all, or is in already. */
void wm_run_ranges_append(struct wm_arena *arena, struct wm_run_ranges *ranges, int64_t id);

/* Adds an id; slow where it is not the largest. */
void wm_run_ranges_add(struct wm_arena *arena, struct wm_run_ranges *ranges, int64_t id);

struct wm_bytes wm_run_ranges_encode(struct wm_arena *arena, const struct wm_run_ranges *ranges);

#endif
