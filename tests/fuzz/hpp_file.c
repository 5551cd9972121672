/* A .wmh file: read, followed path by path through its code, printed.
 *
 * Most of what is tried has the wrong size or checksum, so it is also read with both put right.
 */
#include <string.h>

#include "fuzz.h"
#include "report/hpp_view.h"

static int try(const void *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_hpp_profile profile;
	struct wm_error error;
	int status = wm_hpp_profile_decode(&arena, "file", data, bytes, &profile, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		FILE *out = fopen("/dev/null", "w");
		struct wm_hpp_view view = {.arena = &arena,
			.profile = &profile,
			.lines = wm_code_lines_open(&arena, &profile),
			.top = 50};
		wm_hpp_view_print(&view, out);
		wm_hpp_view_json(&view, out);
		for (uint64_t i = 0; i < profile.paths && i < 20; i++)
			wm_hpp_view_path(&view, &profile.path[i], out);
		wm_code_lines_close(view.lines);
		fclose(out);
	}
	wm_arena_reset(&arena);
	return status;
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_hpp_head head;
	uint64_t *words = wm_arena_alloc(&arena, bytes + 8, 1);
	if (bytes)
		memcpy(words, data, bytes);
	int status = try(words, bytes);
	size_t whole = bytes & ~(size_t)7;
	if (status && whole >= sizeof head) {
		memcpy(&head, words, sizeof head);
		memcpy(head.magic, WM_HPP_MAGIC, sizeof head.magic);
		head.version = WM_HPP_VERSION;
		head.head_bytes = sizeof head;
		head.file_bytes = whole;
		head.checksum = 0;
		memcpy(words, &head, sizeof head);
		head.checksum = wm_hpp_checksum(WM_HPP_CHECKSUM_START, words, whole / 8);
		memcpy(words, &head, sizeof head);
		try(words, whole);
	}
	wm_arena_reset(&arena);
	return status;
}
