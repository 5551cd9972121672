/* Keys of tables that have counters of their own in the program (struct wm_known_key). */
#ifndef WM_PROFILE_KNOWN_KEYS_H
#define WM_PROFILE_KNOWN_KEYS_H

#include "core/paths/histories.h"
#include "profile/path_counts.h"

/* Whether the function has the counters that its probes need, and behind them those of keys. */
bool wm_known_keys_fit(const struct wm_paths_section *section, uint64_t probe_counters);

/* The contents of the table that this counter of the function names, with the keys that were
 * counted apart. */
struct wm_history_list wm_known_keys_add(struct wm_arena *scratch,
	const struct wm_solve_source *source, uint32_t table, struct wm_history_list list);

#endif
