/* Kinds of events as users write them. */
#ifndef WM_CLI_EVENT_WORDS_H
#define WM_CLI_EVENT_WORDS_H

#include "core/base/error.h"
#include "profile/tally.h"

/* Reads one kind. WM_ERROR_INPUT: the text names the nearest, or all. */
int wm_event_word_parse(struct wm_arena *arena, const char *word, struct wm_event_kind *kind,
	struct wm_error *error);

/* Reads kinds with commas between them; NULL means all but calls:GLOB. An error ends the tool with
 * one line that starts with the command. */
struct wm_event_kinds wm_event_words_parse(
	struct wm_arena *arena, const char *command, const char *text);

#endif
