/* Names of functions as the source has them, made from those that the linker knows. */
#ifndef WM_NAMES_TEXT_NAME_H
#define WM_NAMES_TEXT_NAME_H

#include <stdbool.h>

#include "core/base/arena.h"

/* The name as written in the source: C++ and Rust names demangled and without their return type,
 * others as they are. The result lives in the arena, or is the name itself. */
const char *wm_text_name(struct wm_arena *arena, const char *name);

/* The same without template arguments, parameters and what stands behind them, and without
 * namespaces that have no name: what people type. */
const char *wm_text_short_name(struct wm_arena *arena, const char *name);

/* The short name with its template arguments. */
const char *wm_text_instance_name(struct wm_arena *arena, const char *name);

/* How a word names a function: not at all; as its last part (GetNode for State::GetNode); or as a
 * whole, in the linker's form or in one of the source's. */
enum wm_text_name_fit { WM_TEXT_NAME_NONE, WM_TEXT_NAME_PART, WM_TEXT_NAME_WHOLE };

/* Whether the word names the function that the linker knows by the name. */
enum wm_text_name_fit wm_text_name_fit(const char *word, const char *name);

/* Whether the shell pattern matches the name, in the linker's or in the short form. */
bool wm_text_name_matches(const char *glob, const char *name);

#endif
