/* Each place is asked in turn. If none has it, the first says why, and the last what was kept. */
#include "profile/binary.h"

#include <stdio.h>
#include <string.h>

#include "profile/builds.h"

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

static int read_kept(struct wm_arena *arena, const struct wm_file *file, struct wm_object *object,
	struct wm_error *error)
{
	int status = wm_builds_read(arena, &file->build_id, file->object_path, object, error);
	return status < 0 ? status : check_identity(file, object, error);
}

int wm_binary_read(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_object *object, struct wm_error *error)
{
	struct wm_error kept;
	int status = read_path(arena, file, binary ? binary : file->object_path, object, error);
	if (binary || status == 0)
		return status;
	if (read_kept(arena, file, object, &kept) == 0)
		return 0;
	if (status == WM_ERROR_INPUT)
		return status;
	const struct wm_error reason = *error;
	return wm_error_set(error, WM_ERROR_MISMATCH, "%.480s; %.400s", reason.text, kept.text);
}

void wm_binary_ask(struct wm_error *error, const char *option)
{
	size_t length = strlen(error->text);
	snprintf(error->text + length, sizeof error->text - length,
		"; name a copy of the program with %s=PATH", option);
}
