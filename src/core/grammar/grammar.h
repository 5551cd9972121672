/* Grammars with one sentence (core/grammar/sequitur.h): checked, and asked for strings of the
 * sentence without making it. */
#ifndef WM_CORE_GRAMMAR_H
#define WM_CORE_GRAMMAR_H

#include "core/base/error.h"
#include "core/grammar/sequitur.h"

/* Checks a grammar that comes from elsewhere: symbols that are there, no rule unused or in itself.
 * WM_ERROR_INPUT. */
int wm_grammar_check(struct wm_arena *arena, const struct wm_grammar *grammar,
	uint32_t terminal_count, struct wm_error *error);

/* The terminals around the border behind one symbol of a rule. Each string of up to `width`
 * terminals of the sentence crosses the border of exactly one window, `left` before it and at least
 * one behind, or is a single terminal: that before a border whose window says so. It occurs as
 * often. */
struct wm_grammar_window {
	const uint32_t *text;
	uint32_t count;
	uint32_t left;
	uint64_t times;
	bool has_single; /* the terminal before the border is the symbol itself */
};

/* Calls `take` with the window of each symbol. Work is in proportion to the grammar. */
void wm_grammar_windows(const struct wm_grammar *grammar, uint32_t width,
	void (*take)(void *context, const struct wm_grammar_window *window), void *context);

#endif
