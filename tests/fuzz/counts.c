/* A base, as `waymark count --save` keeps it: what was read is written and read again, the same. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/snapshot.h"

static char *write_text(const struct wm_snapshot *snapshot, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	WM_FUZZ_REQUIRE(out);
	wm_snapshot_write(snapshot, out);
	WM_FUZZ_REQUIRE(fclose(out) == 0);
	return text;
}

static void require_round_trip(struct wm_arena *arena, const struct wm_snapshot *snapshot)
{
	struct wm_snapshot again;
	struct wm_error error;
	size_t bytes, bytes_again;
	char *text = write_text(snapshot, &bytes);
	WM_FUZZ_REQUIRE(wm_snapshot_read(arena, "base.json", text, bytes, &again, &error) == 0);
	char *text_again = write_text(&again, &bytes_again);
	WM_FUZZ_REQUIRE(bytes == bytes_again && memcmp(text, text_again, bytes) == 0);
	free(text);
	free(text_again);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_snapshot snapshot;
	struct wm_error error;
	char *text = wm_arena_alloc(&arena, bytes + 1, 1);
	if (bytes)
		memcpy(text, data, bytes);
	int status = wm_snapshot_read(&arena, "base.json", text, bytes, &snapshot, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0)
		require_round_trip(&arena, &snapshot);
	wm_arena_reset(&arena);
	return status;
}
