/* Counters of chosen runs, added up by object. */
#include <string.h>

#include "store/parts.h"

struct sum {
	struct wm_arena *arena;
	struct wm_store *store;
	struct wm_file *file;
	struct wm_entries entries;
	uint64_t parts; /* that were added */
};

static const char *add_record(struct wm_arena *scratch, const struct wm_value *value,
	struct wm_file *file, struct wm_entries *entries)
{
	struct wm_bytes record;
	struct wm_sparse sparse;
	if (!wm_pressed_open(scratch, value, &record))
		return "counters of a run are no record";
	const char *reason = wm_sparse_decode(scratch, record.data, record.count, &sparse);
	if (reason)
		return reason;
	if (sparse.length != file->counter_count)
		return "a run has other counters than its program";
	for (uint64_t i = 0; i < sparse.counter_count; i++)
		file->counter[sparse.counters[i]] += sparse.values[i];
	for (uint64_t i = 0; i < sparse.entry_count; i++)
		wm_entries_add(entries, (struct wm_file_entry){sparse.entries[i].counter,
						sparse.entries[i].key, sparse.entries[i].count});
	return NULL;
}

int wm_store_add_record(struct wm_store *store, struct wm_file *file, const struct wm_value *record,
	struct wm_entries *entries, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	const char *reason = add_record(&scratch, record, file, entries);
	wm_arena_reset(&scratch);
	return reason ? wm_store_damaged(store, reason, error) : 0;
}

static int take_raw(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct sum *sum = context;
	sum->file->runs += (uint64_t)row[2].number;
	sum->parts++;
	return wm_store_add_record(sum->store, sum->file, &row[3], &sum->entries, error);
}

static void start_file(struct sum *sum, const struct wm_stored_object *object, uint64_t counters)
{
	struct wm_packed_piece piece = {WM_CHUNK_KEPT, object->record};
	*sum->file = (struct wm_file){.path = wm_store_place(sum->store),
		.object_path = object->path,
		.build_id = object->build_id,
		.file_count = 1,
		.counter_count = counters,
		.counter = wm_arena_alloc(sum->arena, counters, sizeof(uint64_t)),
		.arena = sum->arena};
	wm_packed_add(sum->arena, &sum->file->packed, &piece);
}

/* Adds up the runs; a query for each, unless it is all of them. */
static int add_runs(struct sum *sum, const struct wm_stored_object *object,
	const struct wm_store_run *runs, size_t count, bool all, struct wm_error *error)
{
	struct wm_value values[] = {wm_value_number(object->id), wm_value_number(0)};
	int status = 0;
	if (all)
		return wm_database_query(sum->store->database,
			"SELECT run, object, executions, counters FROM raw WHERE object = $1"
			" ORDER BY run",
			values, 1, take_raw, sum, error);
	for (size_t i = 0; i < count && status == 0; i++) {
		values[1].number = runs[i].id;
		status = wm_database_query(sum->store->database,
			"SELECT run, object, executions, counters FROM raw"
			" WHERE object = $1 AND run = $2",
			values, 2, take_raw, sum, error);
	}
	return status;
}

static int sum_object(struct sum *sum, const struct wm_stored_object *object,
	const struct wm_store_run *runs, size_t count, bool all, struct wm_error *error)
{
	int64_t counters;
	const struct wm_value value = wm_value_number(object->id);
	int status = wm_database_number(sum->store->database,
		"SELECT counters FROM object WHERE id = $1", &value, 1, &counters, error);
	if (status < 0)
		return status;
	if (counters < 0 || counters > INT32_MAX)
		return wm_store_damaged(sum->store, "a program has too many counters", error);
	sum->parts = 0;
	start_file(sum, object, (uint64_t)counters);
	status = add_runs(sum, object, runs, count, all, error);
	wm_entries_settle(&sum->entries);
	if (status == 0)
		wm_entries_give(&sum->entries, sum->file);
	wm_entries_free(&sum->entries);
	return status;
}

/* What is known of the runs as a whole belongs to each of their programs. */
static void tell_runs(struct wm_file *file, const struct wm_store_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		file->cut_short += runs[i].cut_short;
		file->status |= runs[i].status;
		time_t seconds = (time_t)(runs[i].started / 1000000);
		file->modified = seconds > file->modified ? seconds : file->modified;
	}
}

int wm_store_files(struct wm_arena *arena, struct wm_store *store, const struct wm_store_run *runs,
	size_t run_count, struct wm_file **files, size_t *count, struct wm_error *error)
{
	struct wm_stored_object *objects;
	struct sum sum = {.arena = arena, .store = store};
	size_t object_count;
	int64_t all = 0;
	*count = 0;
	int status = wm_store_objects(arena, store, 0, true, &objects, &object_count, error);
	if (status == 0)
		status = wm_database_number(
			store->database, "SELECT count(*) FROM run", NULL, 0, &all, error);
	*files = wm_arena_alloc(arena, object_count, sizeof **files);
	for (size_t i = 0; i < object_count && status == 0; i++) {
		sum.file = &(*files)[*count];
		status = sum_object(&sum, &objects[i], runs, run_count, (size_t)all == run_count,
			error);
		tell_runs(sum.file, runs, run_count);
		*count += sum.parts > 0;
	}
	return status;
}
