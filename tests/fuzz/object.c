/* A whole ELF file: read as an object, then joined with counters of its own and counted by line. */
#include "fuzz.h"
#include "profile/checksums.h"
#include "profile/lines.h"
#include "profile/object.h"
#include "profile/profile.h"

/* The size of the counters is not bounded by that of the ELF file, which does not hold them; in a
 * profile it is bounded by the .wmk file. */
enum { MAX_COUNTERS = 1 << 16 };

static void join(struct wm_arena *arena, const struct wm_object *object)
{
	struct wm_file file = {.path = "counters.wmk",
		.object_path = object->path,
		.build_id = object->build_id,
		.runs = 1,
		.counter_count = object->counter_count,
		.counter = wm_arena_alloc(arena, object->counter_count, sizeof(uint64_t))};
	struct wm_profile profile;
	struct wm_lines lines;
	struct wm_error error;
	for (uint64_t i = 0; i < file.counter_count; i++)
		file.counter[i] = wm_fuzz_counter(i);
	int status = wm_profile_make(arena, &file, NULL, &profile, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0)
		wm_lines_count(arena, &profile, &lines, &error);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_object object;
	struct wm_checksums checksums;
	struct wm_error error;
	int status = wm_object_read(&arena, wm_fuzz_file(data, bytes), &object, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0)
		wm_checksums_read(&arena, &object, &checksums);
	if (status == 0 && object.counter_count <= MAX_COUNTERS)
		join(&arena, &object);
	wm_arena_reset(&arena);
	return status;
}
