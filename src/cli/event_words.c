/* Unknown kinds get the nearest known one. */
#include "cli/event_words.h"

#include <string.h>

#include "cli/fatal.h"
#include "cli/nearest.h"

int wm_event_word_parse(struct wm_arena *arena, const char *word, struct wm_event_kind *kind,
	struct wm_error *error)
{
	struct wm_nearest nearest = {.word = word};
	if (wm_event_kind_parse(arena, word, kind))
		return 0;
	for (int event = 0; event < WM_EVENT_COUNT; event++)
		wm_nearest_offer(&nearest, wm_event_names[event]);
	if (nearest.best)
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' is no kind of event; did you mean %s?", word, nearest.best);
	return wm_error_set(error, WM_ERROR_INPUT,
		"'%s' is no kind of event: there are instructions, blocks, branches, loads, "
		"stores, calls and calls:GLOB, and in builds that sum them steps, mark:NAME and "
		"weights:FILE",
		word);
}

static size_t count_words(const char *text)
{
	size_t count = 1;
	for (; *text; text++)
		count += *text == ',';
	return count;
}

struct wm_event_kinds wm_event_words_parse(
	struct wm_arena *arena, const char *command, const char *text)
{
	struct wm_error error;
	char *rest = wm_arena_copy_text(
		arena, text ? text : "instructions,blocks,branches,loads,stores,calls");
	struct wm_event_kinds kinds = {
		.kinds = wm_arena_alloc(arena, count_words(rest), sizeof *kinds.kinds)};
	for (const char *word; (word = strsep(&rest, ","));)
		if (wm_event_word_parse(arena, word, &kinds.kinds[kinds.count++], &error) < 0)
			wm_fatal_usage("%s: --events: %s", command, error.text);
	return kinds;
}
