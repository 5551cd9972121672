/* Each place is asked in turn. If none has it, the first says why, and the last what was kept. */
#include "profile/binary.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "profile/builds.h"
#include "profile/kept.h"

static int check_identity(
	const struct wm_file *file, const struct wm_object *object, struct wm_error *error)
{
	if (!wm_build_id_equal(&object->build_id, &file->build_id))
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s is of build-id %s, but %s is of build-id %s", file->path,
			wm_build_id_text(&file->build_id).text, object->path,
			wm_build_id_text(&object->build_id).text);
	if (object->counter_count != file->counter_count)
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s holds %llu counters, but %s has %llu, though both are of build-id %s",
			file->path, (unsigned long long)file->counter_count, object->path,
			(unsigned long long)object->counter_count,
			wm_build_id_text(&file->build_id).text);
	return 0;
}

static int read_path(struct wm_arena *arena, const struct wm_file *file, const char *path,
	struct wm_object *object, struct wm_error *error)
{
	int status = wm_object_read(arena, path, object, error);
	return status < 0 ? status : check_identity(file, object, error);
}

static int read_packed(struct wm_arena *arena, const struct wm_file *file, struct wm_object *object,
	struct wm_error *error)
{
	struct wm_error reason;
	const struct wm_bytes record =
		wm_packed_record(&file->packed, file->build_id.byte, file->build_id.bytes);
	int status = WM_ERROR_MISMATCH;
	if (record.data)
		status = wm_kept_read(arena, &record, file->object_path, object, &reason);
	if (status == 0)
		return check_identity(file, object, error);
	if (record.data)
		return wm_error_set(
			error, status, "what is packed of it is not used: %.400s", reason.text);
	return wm_error_set(error, status, "what is packed in the file is damaged");
}

static int read_kept(struct wm_arena *arena, const struct wm_file *file, struct wm_object *object,
	struct wm_error *error)
{
	int status = wm_builds_read(arena, &file->build_id, file->object_path, object, error);
	return status < 0 ? status : check_identity(file, object, error);
}

/* Asks all places but the one that the user names. */
static int search(struct wm_arena *arena, const struct wm_file *file, struct wm_object *object,
	struct wm_error *error)
{
	struct wm_error kept, packed;
	if (read_packed(arena, file, object, &packed) == 0)
		return 0;
	int status = read_path(arena, file, file->object_path, object, error);
	if (status == 0 || read_kept(arena, file, object, &kept) == 0)
		return 0;
	if (status == WM_ERROR_INPUT)
		return status;
	bool was_packed = file->packed.count > 0 || file->packed.damaged;
	const struct wm_error reason = *error;
	return wm_error_set(error, WM_ERROR_MISMATCH, "%.480s; %.400s", reason.text,
		was_packed ? packed.text : kept.text);
}

int wm_binary_read(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_object *object, struct wm_error *error)
{
	int status = binary ? read_path(arena, file, binary, object, error)
			    : search(arena, file, object, error);
	struct wm_packed *packed = wm_arena_alloc(arena, 1, sizeof *packed);
	*packed = file->packed;
	object->packed = packed;
	return status;
}

int wm_binary_record(struct wm_arena *arena, const struct wm_object *object,
	struct wm_bytes *record, struct wm_error *error)
{
	struct wm_build_id build_id;
	*record = object->record;
	if (record->data)
		return 0;
	int status = wm_kept_make(arena, object->path, &build_id, record, error);
	if (status == 0 && !wm_build_id_equal(&build_id, &object->build_id))
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s: was built again just now; try again", object->path);
	return status;
}

void wm_binary_ask(struct wm_error *error, const char *option)
{
	size_t length = strlen(error->text);
	snprintf(error->text + length, sizeof error->text - length,
		"; name a copy of the program with %s=PATH", option);
}
