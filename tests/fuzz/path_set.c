/* Saved sets of paths: what is read can be written, and reads the same again. */
#include <stdlib.h>
#include <string.h>

#include "format/path_set_file.h"
#include "fuzz.h"

static void require_same(const struct wm_saved_paths *left, const struct wm_saved_paths *right)
{
	WM_FUZZ_REQUIRE(left->count == right->count);
	for (size_t i = 0; i < left->count; i++) {
		const struct wm_saved_function *a = &left->functions[i], *b = &right->functions[i];
		WM_FUZZ_REQUIRE(wm_saved_function_compare(a, b) == 0);
		WM_FUZZ_REQUIRE(a->range_count == b->range_count);
		for (size_t k = 0; k < a->range_count; k++)
			WM_FUZZ_REQUIRE(a->ranges[k].first == b->ranges[k].first &&
					a->ranges[k].last == b->ranges[k].last &&
					a->ranges[k].partial == b->ranges[k].partial);
	}
}

static void require_sense(const struct wm_saved_paths *saved)
{
	for (size_t i = 0; i < saved->count; i++) {
		const struct wm_saved_function *function = &saved->functions[i];
		size_t count;
		const struct wm_saved_function *named =
			wm_saved_paths_named(saved, function->name, &count);
		WM_FUZZ_REQUIRE(named <= function && function < named + count);
		WM_FUZZ_REQUIRE(wm_saved_file_likeness(function->file, function->file) > 0);
		for (size_t k = 0; k < function->range_count; k++)
			WM_FUZZ_REQUIRE(function->ranges[k].first <= function->ranges[k].last &&
					(k == 0 || function->ranges[k - 1].last <
							   function->ranges[k].first));
	}
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_saved_paths saved, again;
	struct wm_error error;
	int status = wm_saved_paths_parse(
		&arena, "input", (const char *)data, bytes, &saved, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		char *text;
		size_t length;
		FILE *out = open_memstream(&text, &length);
		require_sense(&saved);
		wm_saved_paths_write(&saved, "about\nit", out);
		fclose(out);
		WM_FUZZ_REQUIRE(wm_saved_paths_parse(
					&arena, "written", text, length, &again, &error) == 0);
		require_same(&saved, &again);
		free(text);
	}
	wm_arena_reset(&arena);
	return status;
}
