/* What the functions and paths of a profile are called in listings: as short as people can type it,
 * and such that the name leads back to the same function, where that is readable.
 */
#ifndef WM_REPORT_SHORT_NAMES_H
#define WM_REPORT_SHORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/profile.h"

struct wm_short_names;

/* Looks at all functions of the profile. If `full`, paths have the names that hold across builds,
 * FUNCTION:HASH:ID with the linker's name. */
const struct wm_short_names *wm_short_names_make(
	struct wm_arena *arena, const struct wm_profile *profile, bool full);

/* The name of a path, or of pieces that run one after another, in the arena: FUNCTION#ID with the
 * source's name in short. Where several functions are called so, it has template arguments, the
 * hash or parameters, whichever first tells them apart. Where nothing readable does, several
 * functions have one name, with the hash. The function is one of the profile. */
const char *wm_short_names_path(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_profile_function *function, const uint64_t *ids, size_t id_count);

/* The same without ids: what comes before them. */
const char *wm_short_names_stem(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_profile_function *function);

#endif
