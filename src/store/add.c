/* Adding runs. Everything that takes long (reading programs, packing counters) happens before the
 * transaction, so that many writers wait for each other as little as possible. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/binary.h"
#include "store/parts.h"

/* What one object counted in the run. */
struct piece {
	const struct wm_file *file;
	struct wm_stored_object object; /* without a record if the store has it already */
	struct wm_bytes counters;	/* pressed */
};

struct pieces {
	struct wm_arena arena;
	struct wm_store *store;
	size_t count;
	struct piece *list;
	struct wm_error *error;
};

static int find_object(struct pieces *pieces, const struct wm_file *file, int64_t *id)
{
	const struct wm_value value = wm_value_bytes(file->build_id.byte, file->build_id.bytes);
	return wm_database_number(pieces->store->database,
		"SELECT id FROM object WHERE build_id = $1", &value, 1, id, pieces->error);
}

static int read_record(struct pieces *pieces, struct piece *piece)
{
	struct wm_object object;
	int status = wm_binary_read(&pieces->arena, piece->file, NULL, &object, pieces->error);
	if (status == 0)
		status = wm_binary_record(
			&pieces->arena, &object, &piece->object.record, pieces->error);
	return status;
}

struct wm_bytes wm_store_press(struct wm_arena *arena, const struct wm_file *file)
{
	size_t bytes;
	struct wm_sparse_entry *entries =
		wm_arena_alloc(arena, file->entry_count, sizeof *entries);
	for (uint64_t i = 0; i < file->entry_count; i++)
		entries[i] = (struct wm_sparse_entry){file->entries[i].counter,
			file->entries[i].key, file->entries[i].count};
	const uint8_t *record = wm_sparse_encode(
		arena, file->counter_count, file->counter, entries, file->entry_count, &bytes);
	return wm_pressed_make(arena, record, bytes);
}

static int add_piece(struct pieces *pieces, const struct wm_file *file)
{
	struct piece *piece = &pieces->list[pieces->count++];
	piece->file = file;
	piece->object.path = file->object_path;
	piece->object.build_id = file->build_id;
	int status = find_object(pieces, file, &piece->object.id);
	if (status == 0 && !piece->object.id)
		status = read_record(pieces, piece);
	if (status == 0)
		piece->counters = wm_store_press(&pieces->arena, file);
	return status;
}

static int collect(struct pieces *pieces, const struct wm_file *files, size_t count)
{
	size_t room = count;
	int status = 0;
	for (size_t i = 0; i < count; i++)
		room += files[i].library_count;
	pieces->list = wm_arena_alloc(&pieces->arena, room, sizeof *pieces->list);
	for (size_t i = 0; i < count && status == 0; i++) {
		status = add_piece(pieces, &files[i]);
		for (uint32_t k = 0; k < files[i].library_count && status == 0; k++)
			status = add_piece(pieces, &files[i].libraries[k]);
	}
	return status;
}

/* Several programs of a run may load one library: what they counted in it is one piece. */
static int join_same(struct pieces *pieces)
{
	size_t kept = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		size_t same = 0;
		while (same < kept && !wm_build_id_equal(&pieces->list[same].object.build_id,
					      &pieces->list[i].object.build_id))
			same++;
		if (same == kept) {
			pieces->list[kept++] = pieces->list[i];
			continue;
		}
		struct wm_file *sum = wm_arena_alloc(&pieces->arena, 1, sizeof *sum);
		*sum = wm_file_start(&pieces->arena, pieces->list[same].file);
		if (wm_file_add(sum, pieces->list[same].file, pieces->error) < 0 ||
			wm_file_add(sum, pieces->list[i].file, pieces->error) < 0)
			return WM_ERROR_MISMATCH;
		pieces->list[same].file = sum;
		pieces->list[same].counters = wm_store_press(&pieces->arena, sum);
	}
	pieces->count = kept;
	return 0;
}

static int put_pieces(struct pieces *pieces, int64_t run)
{
	int status = 0;
	for (size_t i = 0; i < pieces->count && status == 0; i++) {
		struct piece *piece = &pieces->list[i];
		int64_t object = piece->object.id;
		if (!object)
			status = wm_store_put_object(pieces->store, &piece->object,
				piece->file->counter_count, &object, pieces->error);
		if (status == 0)
			status = wm_store_put_raw(pieces->store, run, object, piece->file->runs,
				&piece->counters, pieces->error);
	}
	return status;
}

static bool has_new_object(const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		if (!pieces->list[i].object.id)
			return true;
	return false;
}

/* What the programs of the run say of it. */
static struct wm_store_run complete(
	const struct wm_store_run *run, const struct wm_file *files, size_t count)
{
	struct wm_store_run result = *run;
	result.executions = result.cut_short = result.status = 0;
	for (size_t i = 0; i < count; i++) {
		result.executions += files[i].runs;
		result.cut_short += files[i].cut_short;
		result.status |= files[i].status;
	}
	return result;
}

static int put(struct pieces *pieces, const struct wm_store_run *run,
	const struct wm_store_also *also, bool *added)
{
	int64_t id;
	struct wm_database *database = pieces->store->database;
	int status = wm_database_begin(database, has_new_object(pieces), pieces->error);
	if (status < 0)
		return status;
	status = wm_store_put_run(pieces->store, run, &id, added, pieces->error);
	if (status == 0 && *added)
		status = put_pieces(pieces, id);
	if (status == 0 && also)
		status = also->run(also->context, pieces->store, pieces->error);
	return wm_database_end(database, status, pieces->error);
}

int wm_store_add_and(struct wm_store *store, const struct wm_store_run *run,
	const struct wm_file *files, size_t count, const struct wm_store_also *also, bool *added,
	struct wm_error *error)
{
	struct pieces pieces = {.store = store, .error = error};
	const struct wm_store_run whole = complete(run, files, count);
	*added = false;
	int status = collect(&pieces, files, count);
	if (status == 0)
		status = join_same(&pieces);
	if (status == 0)
		status = put(&pieces, &whole, also, added);
	wm_arena_reset(&pieces.arena);
	return status;
}

int wm_store_add(struct wm_store *store, const struct wm_store_run *run,
	const struct wm_file *files, size_t count, bool *added, struct wm_error *error)
{
	return wm_store_add_and(store, run, files, count, NULL, added, error);
}
