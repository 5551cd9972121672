/* The record of a kept build: read as an object, which is joined with counters of its own.
 *
 * Most of what is tried has the wrong size or checksum, so it is also read with both put right.
 */
#include <string.h>

#include "format/profile_file.h"
#include "fuzz.h"
#include "profile/checksums.h"
#include "profile/kept.h"

static int try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_object object;
	struct wm_checksums checksums;
	struct wm_error error;
	const struct wm_bytes record = {data, bytes};
	int status = wm_kept_read(&arena, &record, "/bin/program", &object, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		WM_FUZZ_REQUIRE(wm_kept_same_object(&record, &record));
		WM_FUZZ_REQUIRE(
			wm_kept_is_of(&record, object.build_id.byte, object.build_id.bytes));
		wm_checksums_read(&arena, &object, &checksums);
		for (size_t i = 0; i < checksums.count; i++)
			wm_checksums_match(
				&checksums, checksums.list[i].path, &checksums.list[i].md5);
	}
	wm_arena_reset(&arena);
	return status;
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_kept_head head;
	uint64_t *words = wm_arena_alloc(&arena, bytes + 1, 1);
	if (bytes)
		memcpy(words, data, bytes);
	int status = try((const uint8_t *)words, bytes);
	size_t whole = bytes & ~(size_t)7, before = offsetof(struct wm_kept_head, modified);
	if (status && whole >= sizeof head) {
		memcpy(&head, words, sizeof head);
		memcpy(head.magic, WM_KEPT_MAGIC, sizeof head.magic);
		head.bytes = whole;
		head.checksum =
			wm_file_hash_words(WM_HASH_START, words + before / 8, (whole - before) / 8);
		memcpy(words, &head, sizeof head);
		try((const uint8_t *)words, whole);
	}
	wm_arena_reset(&arena);
	return status;
}
