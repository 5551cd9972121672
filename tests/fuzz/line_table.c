/* DWARF's line tables, for the checksums in them. The input is the size of the texts (two bytes),
 * the texts, and .debug_line. It is taken if a checksum was found.
 */
#include <string.h>

#include "fuzz.h"
#include "profile/line_table.h"

/* A path that was made plain stays as it is. */
static void require_plain_path(struct wm_arena *arena, const char *path)
{
	WM_FUZZ_REQUIRE(strcmp(wm_line_table_path(arena, path), path) == 0);
	WM_FUZZ_REQUIRE(!strstr(path, "//") && !strstr(path, "/./"));
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_checksums checksums = {0};
	size_t text_bytes = bytes < 2 ? 0 : data[0] | (size_t)data[1] << 8;
	if (bytes < 2 + text_bytes)
		return -1;
	const struct wm_bytes texts = {data + 2, text_bytes};
	const struct wm_line_table table = {
		.lines = {data + 2 + text_bytes, bytes - 2 - text_bytes},
		.line_strings = texts,
		.strings = texts};
	wm_line_table_read(&arena, &table, &checksums);
	for (size_t i = 0; i < checksums.count; i++)
		require_plain_path(&arena, checksums.list[i].path);
	wm_arena_reset(&arena);
	return checksums.count > 0 ? 0 : -1;
}
