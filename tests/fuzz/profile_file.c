/* A .wmk file: read, read again for each process that counts into it, and added to itself. */
#include <string.h>

#include "fuzz.h"
#include "profile/file.h"

static void require_sense(const struct wm_file *file, size_t bytes)
{
	WM_FUZZ_REQUIRE(file->counter_count <= bytes / sizeof(uint64_t));
	WM_FUZZ_REQUIRE(file->build_id.bytes <= WM_BUILD_ID_BYTES);
	WM_FUZZ_REQUIRE(strlen(file->object_path) < WM_OBJECT_PATH_BYTES);
}

static void require_doubled(struct wm_file *file)
{
	struct wm_error error;
	uint64_t runs = file->runs, last = file->counter_count - 1;
	uint64_t value = file->counter_count ? file->counter[last] : 0;
	struct wm_file same = *file;
	WM_FUZZ_REQUIRE(wm_file_add(file, &same, &error) == 0);
	WM_FUZZ_REQUIRE(file->runs == 2 * runs);
	if (file->counter_count)
		WM_FUZZ_REQUIRE(file->counter[last] == 2 * value);
}

/* What a process has released is in the sum, but no longer its own. */
static void require_owners(struct wm_arena *arena, const struct wm_file *file)
{
	for (uint32_t i = 0; i < file->owner_count; i++) {
		struct wm_file own;
		struct wm_error error;
		int status = wm_file_read_process(
			arena, file->path, &file->owners[i].owner, &own, &error);
		WM_FUZZ_REQUIRE(status == 0 || status == WM_ERROR_MISMATCH);
		if (status == 0)
			WM_FUZZ_REQUIRE(own.counter_count == file->counter_count &&
					own.owner_count > 0 &&
					own.owner_count <= file->owner_count);
	}
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_file file;
	struct wm_error error;
	int status = wm_file_read(&arena, wm_fuzz_file(data, bytes), &file, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		require_sense(&file, bytes);
		require_owners(&arena, &file);
		require_doubled(&file);
	}
	wm_arena_reset(&arena);
	return status;
}
