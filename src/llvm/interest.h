/* Which paths of a function matter, and what that changes in its plan. */
#ifndef WM_LLVM_INTEREST_H
#define WM_LLVM_INTEREST_H

#include "core/probe_keys.h"
#include "llvm/knowledge.h"

/* The function's paths that matter, as ranges of ids: those of --prefer or --select. `paths`
 * becomes their numbering. None if there are too many to number or to list, which is then said. */
struct wm_path_ranges wm_interest_find(struct wm_arena *arena, struct wm_knowledge *knowledge,
	const struct wm_function *function, struct wm_paths *paths);

/* Counters for the known paths of a plan that counts in tables: described in the function, returned
 * by probe. `known` is what the profile knows of the function, NULL for nothing; `ranges` are the
 * paths that matter, NULL for all. */
const struct wm_probe_keys **wm_interest_keys(struct wm_arena *arena,
	const struct wm_profile_function *known, const struct wm_path_ranges *ranges,
	const struct wm_path_plan *plan, const struct wm_paths *paths,
	struct wm_function *described);

#endif
