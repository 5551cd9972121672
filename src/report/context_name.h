/* Names of contexts: the functions of the chain, the outermost first, as in main/parse:3/lex.
 *
 * A number behind a function says by which of its calls the next one was called: its place in the
 * function's description, from 0. It is missing where only one call of the function has the next
 * one's name, and where calls are not told apart. Chains that do not start outside have a word in
 * brackets in front, such as [signal]/handler. Names hold for all runs of a build.
 */
#ifndef WM_REPORT_CONTEXT_NAME_H
#define WM_REPORT_CONTEXT_NAME_H

#include "report/tree.h"

/* The name of a record but the outside, in the arena. */
char *wm_context_name(struct wm_arena *arena, const struct wm_tree *tree, uint32_t record);

/* A short name: the function's with @ and 13 letters, which are a hash of the name. */
char *wm_context_short_name(
	struct wm_arena *arena, const struct wm_tree *tree, uint32_t record, const char *name);

/* The word of a caller that is not a function, without its brackets; empty: there is none. */
const char *wm_context_name_outside(uint32_t site);

/* A function in a name that somebody typed. */
struct wm_context_step {
	char *function;
	bool has_site;
	uint32_t site; /* by which the next one was called */
};

/* The steps of the name, outermost first; at least one. False: some step has no function. */
bool wm_context_name_parse(
	struct wm_arena *arena, const char *text, size_t *count, struct wm_context_step **steps);

#endif
