/* Opening a store, and rows of its tables that several of its files write or read. */
#include "store/store.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "core/base/md5.h"
#include "names/path_name.h"
#include "profile/kept.h"
#include "store/parts.h"

int wm_store_open(const char *place, enum wm_store_access access, struct wm_store **result,
	struct wm_error *error)
{
	struct wm_store *store = calloc(1, sizeof *store);
	if (!store)
		return wm_error_set(error, WM_ERROR_SYSTEM, "out of memory");
	int status = wm_database_open(place, access == WM_STORE_MAKE, &store->database, error);
	if (status == 0)
		status = wm_schema_open(store, access, error);
	if (status < 0)
		wm_store_close(store);
	else
		*result = store;
	return status;
}

void wm_store_close(struct wm_store *store)
{
	if (!store)
		return;
	wm_database_close(store->database);
	wm_arena_reset(&store->arena);
	free(store);
}

bool wm_store_is_server(const char *place)
{
	return strncmp(place, "postgresql://", 13) == 0 || strncmp(place, "postgres://", 11) == 0;
}

const char *wm_store_place(const struct wm_store *store)
{
	return store->database->place;
}

int wm_store_damaged(const struct wm_store *store, const char *reason, struct wm_error *error)
{
	return wm_error_set(error, WM_ERROR_INPUT,
		"%s: the store is damaged: %s; restore a copy, or make a new one",
		wm_store_place(store), reason);
}

void wm_store_name_run(struct wm_store_run *run)
{
	struct timespec now;
	if (getrandom(run->uuid, sizeof run->uuid, 0) == (ssize_t)sizeof run->uuid)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	memcpy(run->uuid, &now.tv_sec, 8);
	memcpy(run->uuid + 8, &(uint64_t){(uint64_t)now.tv_nsec << 32 | (uint32_t)getpid()}, 8);
}

void wm_store_uuid_of(const void *bytes, size_t count, uint8_t uuid[WM_RUN_UUID_BYTES])
{
	const struct wm_md5 hash = wm_md5(bytes, count);
	memcpy(uuid, hash.byte, WM_RUN_UUID_BYTES);
}

static bool matches(const char *pattern, const char *text)
{
	return !pattern || fnmatch(pattern, text, 0) == 0;
}

bool wm_store_filter_fits(const struct wm_store_filter *filter, const struct wm_store_run *run)
{
	return !filter ||
	       (matches(filter->label, run->label) && matches(filter->outcome, run->outcome) &&
		       (!filter->kind || strcmp(filter->kind, run->kind) == 0) &&
		       (!filter->before || run->started < filter->before) &&
		       (!filter->run || run->id == filter->run));
}

static const char *copy_text(struct wm_arena *arena, const struct wm_value *value)
{
	return wm_arena_copy_text(arena, value->kind == WM_VALUE_TEXT ? value->bytes : "");
}

struct object_list {
	struct wm_arena *arena;
	struct wm_store *store;
	struct wm_stored_object *objects;
	size_t count, capacity;
};

static int take_object(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct object_list *list = context;
	list->objects = wm_arena_grow(
		list->arena, list->objects, list->count, &list->capacity, sizeof *list->objects);
	struct wm_stored_object *object = &list->objects[list->count++];
	*object = (struct wm_stored_object){
		.id = row[0].number, .path = copy_text(list->arena, &row[2])};
	if (row[1].size == 0 || row[1].size > WM_BUILD_ID_BYTES)
		return wm_store_damaged(list->store, "a build-id is too long", error);
	object->build_id.bytes = (uint32_t)row[1].size;
	memcpy(object->build_id.byte, row[1].bytes, row[1].size);
	if (row[3].kind != WM_VALUE_NONE &&
		!wm_pressed_open(list->arena, &row[3], &object->record))
		return wm_store_damaged(list->store, "a description is no record", error);
	return 0;
}

int wm_store_objects(struct wm_arena *arena, struct wm_store *store, int64_t only, bool records,
	struct wm_stored_object **objects, size_t *count, struct wm_error *error)
{
	struct object_list list = {.arena = arena, .store = store};
	const struct wm_value value = wm_value_number(only);
	int status = wm_database_query(store->database,
		only	  ? "SELECT id, build_id, path, record FROM object WHERE id = $1"
		: records ? "SELECT id, build_id, path, record FROM object ORDER BY id"
			  : "SELECT id, build_id, path, NULL FROM object ORDER BY id",
		&value, only ? 1 : 0, take_object, &list, error);
	*objects = list.objects;
	*count = list.count;
	return status;
}

static int find_object(struct wm_store *store, const struct wm_build_id *build_id, int64_t *id,
	struct wm_error *error)
{
	const struct wm_value value = wm_value_bytes(build_id->byte, build_id->bytes);
	return wm_database_number(store->database, "SELECT id FROM object WHERE build_id = $1",
		&value, 1, id, error);
}

static int put_function(struct wm_store *store, struct wm_arena *scratch, int64_t object,
	uint32_t place, const struct wm_function *function, struct wm_error *error)
{
	struct wm_paths paths;
	struct wm_error unused;
	int64_t id;
	uint64_t possible = 0;
	if (wm_path_numbering(scratch, function, &paths, &unused) == 0)
		possible = paths.count;
	const struct wm_value values[] = {wm_value_text(function->name),
		wm_value_text(function->scopes[0].file),
		wm_value_number(function->scopes[0].line),
		wm_value_number(wm_path_cfg_hash(function)),
		wm_value_number((int64_t)function->code), wm_value_number((int64_t)possible)};
	int status = wm_database_number(store->database,
		"INSERT INTO function(name, file, line, shape, code, possible)"
		" VALUES($1, $2, $3, $4, $5, $6) ON CONFLICT(name, file, shape, code)"
		" DO UPDATE SET line = excluded.line RETURNING id",
		values, 6, &id, error);
	const struct wm_value member[] = {
		wm_value_number(object), wm_value_number(place), wm_value_number(id)};
	if (status == 0)
		status = wm_database_run(store->database,
			"INSERT INTO member(object, place, function) VALUES($1, $2, $3)", member, 3,
			NULL, error);
	return status;
}

static int put_functions(struct wm_store *store, int64_t id,
	const struct wm_stored_object *stored, struct wm_error *error)
{
	struct wm_arena arena = {0}, scratch = {0};
	struct wm_object object;
	struct wm_error reason;
	int status = wm_kept_read(&arena, &stored->record, stored->path, &object, &reason);
	if (status < 0)
		wm_error_set(error, status, "the description of '%.300s' cannot be used: %.500s",
			stored->path, reason.text);
	for (uint32_t i = 0; status == 0 && i < object.function_count; i++) {
		status = put_function(
			store, &scratch, id, i, &object.functions[i].function, error);
		if (i % 64 == 0)
			wm_arena_reset(&scratch);
	}
	wm_arena_reset(&scratch);
	wm_arena_reset(&arena);
	return status;
}

int wm_store_put_object(struct wm_store *store, const struct wm_stored_object *object,
	uint64_t counters, int64_t *id, struct wm_error *error)
{
	int status = find_object(store, &object->build_id, id, error);
	if (status < 0 || *id)
		return status;
	struct wm_arena arena = {0};
	struct wm_bytes record =
		wm_pressed_make(&arena, object->record.data, object->record.count);
	const struct wm_value values[] = {
		wm_value_bytes(object->build_id.byte, object->build_id.bytes),
		wm_value_text(object->path), wm_value_number((int64_t)counters),
		wm_value_bytes(record.data, record.count)};
	status = wm_database_number(store->database,
		"INSERT INTO object(build_id, path, counters, record) VALUES($1, $2, $3, $4)"
		" RETURNING id",
		values, 4, id, error);
	wm_arena_reset(&arena);
	return status < 0 ? status : put_functions(store, *id, object, error);
}

int wm_store_put_run(struct wm_store *store, const struct wm_store_run *run, int64_t *id,
	bool *added, struct wm_error *error)
{
	const struct wm_value values[] = {wm_value_bytes(run->uuid, sizeof run->uuid),
		wm_value_text(run->kind), wm_value_text(run->label), wm_value_text(run->host),
		wm_value_text(run->outcome), wm_value_number(run->started),
		wm_value_number(run->cpu), wm_value_number((int64_t)run->executions),
		wm_value_number((int64_t)run->cut_short), wm_value_number(run->status)};
	int status = wm_database_number(store->database,
		"INSERT INTO run(uuid, kind, label, host, outcome, started, cpu_us, executions,"
		" cut_short, status) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
		" ON CONFLICT(uuid) DO NOTHING RETURNING id",
		values, 10, id, error);
	*added = *id != 0;
	return status;
}

int wm_store_put_raw(struct wm_store *store, int64_t run, int64_t object, uint64_t executions,
	const struct wm_bytes *pressed, struct wm_error *error)
{
	const struct wm_value values[] = {wm_value_number(run), wm_value_number(object),
		wm_value_number((int64_t)executions), wm_value_bytes(pressed->data, pressed->count)};
	return wm_database_run(store->database,
		"INSERT INTO raw(run, object, executions, counters) VALUES($1, $2, $3, $4)", values,
		4, NULL, error);
}

struct run_list {
	struct wm_arena *arena;
	const struct wm_store_filter *filter;
	struct wm_store *store;
	struct wm_store_run *runs;
	size_t count, capacity;
};

static int take_run(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct run_list *list = context;
	struct wm_store_run run = {.id = row[0].number,
		.kind = row[2].bytes,
		.label = row[3].bytes,
		.host = row[4].bytes,
		.outcome = row[5].bytes,
		.started = row[6].number,
		.cpu = row[7].number,
		.executions = (uint64_t)row[8].number,
		.cut_short = (uint64_t)row[9].number,
		.status = (uint32_t)row[10].number};
	for (int i = 2; i <= 5; i++)
		if (row[i].kind != WM_VALUE_TEXT)
			return wm_store_damaged(list->store, "a run has no label", error);
	if (row[1].size != sizeof run.uuid)
		return wm_store_damaged(list->store, "a run has no uuid", error);
	if (!wm_store_filter_fits(list->filter, &run))
		return 0;
	memcpy(run.uuid, row[1].bytes, sizeof run.uuid);
	run.kind = wm_arena_copy_text(list->arena, run.kind);
	run.label = wm_arena_copy_text(list->arena, run.label);
	run.host = wm_arena_copy_text(list->arena, run.host);
	run.outcome = wm_arena_copy_text(list->arena, run.outcome);
	list->runs = wm_arena_grow(
		list->arena, list->runs, list->count, &list->capacity, sizeof *list->runs);
	list->runs[list->count++] = run;
	return 0;
}

int wm_store_runs(struct wm_arena *arena, struct wm_store *store,
	const struct wm_store_filter *filter, struct wm_store_run **runs, size_t *count,
	struct wm_error *error)
{
	struct run_list list = {.arena = arena, .filter = filter, .store = store};
	int status = wm_database_query(store->database,
		"SELECT id, uuid, kind, label, host, outcome, started, cpu_us, executions,"
		" cut_short, status FROM run ORDER BY id",
		NULL, 0, take_run, &list, error);
	*runs = list.runs;
	*count = list.count;
	return status;
}

static int remove_run(struct wm_store *store, int64_t id, struct wm_error *error)
{
	const struct wm_value value = wm_value_number(id);
	int status = wm_database_run(
		store->database, "DELETE FROM raw WHERE run = $1", &value, 1, NULL, error);
	if (status == 0)
		status = wm_database_run(
			store->database, "DELETE FROM run WHERE id = $1", &value, 1, NULL, error);
	return status;
}

/* What was derived is a sum over runs. It is made again from those that are left. */
int wm_store_remove(struct wm_store *store, const struct wm_store_run *runs, size_t count,
	struct wm_error *error)
{
	static const char *const forget[] = {"DELETE FROM total", "DELETE FROM taken",
		"UPDATE run SET derived = 0 WHERE derived <> 0"};
	int status = wm_database_begin(store->database, true, error);
	if (status < 0)
		return status;
	for (size_t i = 0; i < count && status == 0; i++)
		status = remove_run(store, runs[i].id, error);
	for (size_t i = 0; i < sizeof forget / sizeof *forget && status == 0; i++)
		status = wm_database_run(store->database, forget[i], NULL, 0, NULL, error);
	return wm_database_end(store->database, status, error);
}
