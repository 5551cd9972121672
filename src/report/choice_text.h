/* Choices as people read them: the condition as it was written, and how it went. */
#ifndef WM_REPORT_CHOICE_TEXT_H
#define WM_REPORT_CHOICE_TEXT_H

#include "core/base/arena.h"
#include "report/path_choices.h"
#include "report/source.h"

/* The text of the condition: `if (x < y)`, or `x < y` as a part of something larger. An empty text
 * if it is not known, or if there are no sources. */
const char *wm_choice_condition(
	struct wm_arena *arena, struct wm_sources *sources, const struct wm_path_choice *choice);

/* How it went: `yes`, `no`, `case 'x'`, `default`, `no case`; an empty text if that is not known.
 */
const char *wm_choice_outcome(
	struct wm_arena *arena, struct wm_sources *sources, const struct wm_path_choice *choice);

#endif
