/* Functions by the names that people type. An error ends the tool with one line. */
#ifndef WM_CLI_FIND_FUNCTION_H
#define WM_CLI_FIND_FUNCTION_H

#include <stddef.h>

#include "core/base/arena.h"
#include "names/path_name.h"
#include "profile/profile.h"

/* The functions with this name: as the linker knows it, or as the source has it, with or without
 * its parameters, template arguments and the parts before the last (GetNode for State::GetNode); or
 * those that a shell pattern matches. Several, if they have the same name or match. If last parts
 * fit several names, the line names these. If nothing fits, it names the nearest, or the one that
 * the function was inlined into. It starts with the command. */
const struct wm_profile_function **wm_find_functions(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const char *name, size_t *count);

/* The names, as the linker knows them, of functions with this name that one of the profiles counts
 * or calls. If there is none, the line names the nearest. */
const char **wm_find_callees(struct wm_arena *arena, const char *command,
	const struct wm_profile *profiles, size_t profile_count, const char *name, size_t *count);

/* As wm_find_functions for the function of a path's name. */
const struct wm_profile_function **wm_find_path_functions(struct wm_arena *arena,
	const char *command, const struct wm_profile *profile, const struct wm_path_name *name,
	size_t *count);

/* Reads the profile for a command that shows one program: of the files, or the newest. `object` is
 * as for wm_load_choose_object. */
struct wm_profile *wm_find_profile(struct wm_arena *arena, const char *command, char **paths,
	size_t path_count, const char *binary, const char *object);

/* Ends the process, with the names in one line, if the word may be any of several. A name may be
 * there more than once. */
void wm_find_refuse_unless_one(
	const char *command, const char *word, const char *const *names, size_t count);

#endif
