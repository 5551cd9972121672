/* A text of perf script: each sample lies in the text, and has the parts that it must have. */
#include "profile/perf_script.h"

#include <string.h>

#include "fuzz.h"

static void require_inside(struct wm_perf_word word, const char *text, size_t bytes)
{
	WM_FUZZ_REQUIRE(word.length <= bytes);
	if (word.length > 0)
		WM_FUZZ_REQUIRE(word.text >= text && word.text + word.length <= text + bytes);
	WM_FUZZ_REQUIRE(word.length == 0 || !memchr(word.text, '\n', word.length));
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_perf_samples samples;
	struct wm_error error;
	/* Of its own size, so that a sanitizer sees what is read behind it. */
	char *text = malloc(bytes ? bytes : 1);
	WM_FUZZ_REQUIRE(text);
	if (bytes)
		memcpy(text, data, bytes);
	int status = wm_perf_script_read(&arena, "samples.txt", text, bytes, &samples, &error);
	wm_fuzz_require_text(status, error.text);
	WM_FUZZ_REQUIRE(status < 0 || samples.count > 0);
	for (size_t i = 0; status == 0 && i < samples.count; i++) {
		const struct wm_perf_sample *sample = &samples.list[i];
		require_inside(sample->command, text, bytes);
		require_inside(sample->event, text, bytes);
		require_inside(sample->symbol, text, bytes);
		require_inside(sample->object, text, bytes);
		WM_FUZZ_REQUIRE(sample->symbol.length == 0 || sample->symbol.text[0] != ' ');
	}
	free(text);
	wm_arena_reset(&arena);
	return status;
}
