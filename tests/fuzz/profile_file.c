/* A .wmk file: read, read again for each process that counts into it, written, and added to itself.
 */
#include <string.h>
#include <unistd.h>

#include "format/table_cell.h"
#include "fuzz.h"
#include "profile/file.h"
#include "profile/writer.h"

static void require_sense(const struct wm_file *file, size_t bytes)
{
	for (uint32_t i = 0; i < file->library_count; i++)
		require_sense(&file->libraries[i], bytes);
	WM_FUZZ_REQUIRE(file->counter_count <= bytes / sizeof(uint64_t));
	WM_FUZZ_REQUIRE(file->build_id.bytes <= WM_BUILD_ID_BYTES);
	WM_FUZZ_REQUIRE(strlen(file->object_path) < WM_OBJECT_PATH_BYTES);
	WM_FUZZ_REQUIRE(file->entry_count <= bytes / WM_TABLE_CELL_BYTES);
	for (uint64_t i = 0; i < file->entry_count; i++) {
		const struct wm_file_entry *entry = &file->entries[i], *next = entry + 1;
		WM_FUZZ_REQUIRE(entry->counter < file->counter_count && entry->count != 0);
		WM_FUZZ_REQUIRE(i + 1 == file->entry_count || entry->counter < next->counter ||
				(entry->counter == next->counter && entry->key < next->key));
	}
}

static uint64_t sum_of_entries(const struct wm_file *file)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < file->entry_count; i++)
		sum += file->entries[i].count * (file->entries[i].key + 1);
	return sum;
}

static void require_doubled(struct wm_file *file)
{
	struct wm_error error;
	uint64_t runs = file->runs, last = file->counter_count - 1;
	uint64_t value = file->counter_count ? file->counter[last] : 0;
	uint64_t entries = sum_of_entries(file);
	uint32_t libraries = file->library_count;
	struct wm_file same = *file;
	int status = wm_file_add(file, &same, &error);
	WM_FUZZ_REQUIRE(status == 0 || (file->library_count > 1 && status == WM_ERROR_MISMATCH));
	if (status < 0) /* one library twice, with different counters */
		return;
	WM_FUZZ_REQUIRE(file->runs == 2 * runs);
	WM_FUZZ_REQUIRE(sum_of_entries(file) == 2 * entries);
	WM_FUZZ_REQUIRE(file->library_count == libraries);
	WM_FUZZ_REQUIRE(file->packed.count == same.packed.count);
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
					own.owner_count <= file->owner_count &&
					own.library_count <= file->library_count);
	}
}

static void require_same(const struct wm_file *again, const struct wm_file *file)
{
	WM_FUZZ_REQUIRE(again->entry_count == file->entry_count);
	if (file->entry_count)
		WM_FUZZ_REQUIRE(memcmp(again->entries, file->entries,
					file->entry_count * sizeof *file->entries) == 0);
	if (file->counter_count)
		WM_FUZZ_REQUIRE(memcmp(again->counter, file->counter,
					file->counter_count * sizeof *file->counter) == 0);
}

/* What is written reads as what was read. */
static void require_round_trip(struct wm_arena *arena, const struct wm_file *file)
{
	static char path[64];
	struct wm_file again;
	struct wm_error error;
	if (!path[0])
		snprintf(path, sizeof path, "/dev/shm/waymark-fuzz-%d", (int)getpid());
	WM_FUZZ_REQUIRE(wm_writer_replace(path, file, &error) == 0);
	WM_FUZZ_REQUIRE(wm_file_read(arena, path, &again, &error) == 0);
	unlink(path);
	require_same(&again, file);
	WM_FUZZ_REQUIRE(again.packed.count == file->packed.count && !again.packed.damaged);
	for (size_t i = 0; i < file->packed.count; i++) {
		const struct wm_bytes *old = &file->packed.pieces[i].content;
		const struct wm_bytes *new = &again.packed.pieces[i].content;
		WM_FUZZ_REQUIRE(new->count == old->count);
		WM_FUZZ_REQUIRE(old->count == 0 || memcmp(new->data, old->data, old->count) == 0);
	}
	WM_FUZZ_REQUIRE(again.library_count == file->library_count);
	for (uint32_t i = 0; i < file->library_count; i++)
		require_same(&again.libraries[i], &file->libraries[i]);
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
		require_round_trip(&arena, &file);
		require_doubled(&file);
	}
	wm_arena_reset(&arena);
	return status;
}
