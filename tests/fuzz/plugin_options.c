/* The plug-in's options: the text up to the first zero byte, then the name of a function to select.
 */
#include <string.h>

#include "format/plugin_options.h"
#include "fuzz.h"

static const char *text_from(struct wm_arena *arena, const uint8_t *data, size_t bytes)
{
	char *text = wm_arena_alloc(arena, bytes + 1, 1);
	if (bytes)
		memcpy(text, data, bytes);
	return text;
}

static void require_sense(const struct wm_plugin_options *options)
{
	struct wm_measure again;
	struct wm_error error;
	WM_FUZZ_REQUIRE(wm_measure_exists(options->measure));
	WM_FUZZ_REQUIRE(wm_measure_choose(wm_quantity_word(options->measure.quantity),
				wm_placement_word(options->measure.placement), &again,
				&error) == 0);
	WM_FUZZ_REQUIRE(wm_measure_is(
		again, options->measure.quantity, options->measure.placement));
	WM_FUZZ_REQUIRE(options->weighting <= WM_WEIGHTING_GOLDBERG);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	const char *text = text_from(&arena, data, bytes);
	size_t used = strlen(text);
	const char *function = used < bytes ? text + used + 1 : "main";
	int status = wm_plugin_options_parse(&arena, text, &options, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		require_sense(&options);
		bool selected = wm_plugin_options_select(&options, function);
		if (!options.patterns)
			WM_FUZZ_REQUIRE(selected);
	}
	wm_arena_reset(&arena);
	return status;
}
