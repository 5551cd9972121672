/* Contexts by the names that people type (report/context_name.h). An error ends the tool with one
 * line. */
#ifndef WM_CLI_FIND_CONTEXT_H
#define WM_CLI_FIND_CONTEXT_H

#include "report/tree.h"

/* By record: whether the word names it. A whole name means one context. A part without the
 * outermost functions, or without numbers of calls, means all contexts that end in such a chain; a
 * function alone, all of its contexts. Functions are named as for wm_find_functions. Three dots and
 * the end of a name, and a short name or its beginning, are names as well. At least one is found.
 */
const bool *wm_find_contexts(
	struct wm_arena *arena, const char *command, const struct wm_tree *tree, const char *word);

#endif
