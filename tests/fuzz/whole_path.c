/* A .wpp file: what was read is written and read again, and asked for its strings. */
#include <string.h>

#include "fuzz.h"
#include "trace/strings.h"

enum { MAX_SYMBOLS = 2000 };

static void require_same(struct wm_arena *arena, const struct wm_whole_path *whole)
{
	struct wm_whole_path again;
	struct wm_error error;
	char *text = NULL;
	size_t bytes = 0;
	FILE *stream = open_memstream(&text, &bytes);
	WM_FUZZ_REQUIRE(stream);
	wm_whole_path_write(whole, stream);
	fclose(stream);
	WM_FUZZ_REQUIRE(!wm_whole_path_parse(arena, "again", text, bytes, &again, &error));
	WM_FUZZ_REQUIRE(again.length == whole->length);
	WM_FUZZ_REQUIRE(again.element_count == whole->element_count);
	WM_FUZZ_REQUIRE(wm_whole_cost(&again) == wm_whole_cost(whole));
	free(text);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_whole_path whole;
	struct wm_error error;
	int status =
		wm_whole_path_parse(&arena, "input", (const char *)data, bytes, &whole, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0 && whole.grammar.first_symbol[whole.grammar.rule_count] <= MAX_SYMBOLS) {
		require_same(&arena, &whole);
		wm_whole_hot(&arena, &whole, 4, 0.1);
		wm_whole_segments(&arena, &whole, 1);
	}
	wm_arena_reset(&arena);
	return status;
}
