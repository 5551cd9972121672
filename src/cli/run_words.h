/* What a run is called: its label, its kind, its host, its outcome. Stores take these as they are,
 * so everything odd is written in a way that every database and every listing can hold. */
#ifndef WM_CLI_RUN_WORDS_H
#define WM_CLI_RUN_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

/* Ends the tool with one line unless the kind is test or field. */
void wm_run_words_check_kind(const char *command, const char *kind);

/* The same unless it is pass, fail:STATUS, signal:NUMBER or unknown. */
void wm_run_words_check_outcome(const char *command, const char *outcome);

/* The label: what the option says, else WAYMARK_LABEL, else the words of the command. An empty
 * option ends the tool. */
const char *wm_run_words_label(
	struct wm_arena *arena, const char *command, const char *option, char **words);

/* The text as a store takes it: bytes that are no printable UTF-8 become \xNN, a backslash \\. */
const char *wm_run_words_printable(struct wm_arena *arena, const char *text);

/* The name of this machine, or WAYMARK_HOST. */
const char *wm_run_words_host(struct wm_arena *arena);

/* Microseconds since 1970. */
int64_t wm_run_words_now(void);

/* pass, fail:STATUS or signal:NUMBER, of what wait() says. */
void wm_run_words_outcome(int status, char *text, size_t bytes);

#endif
