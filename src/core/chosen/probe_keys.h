/* Counters for known keys of probes that otherwise count in tables.
 *
 * A probe with very many histories counts them in a table by calling the runtime. If it is known
 * which paths matter, they bring few histories to the probe, and a scaled hash
 * (core/chosen/scaled_hash.h) finds a counter for each. The table gets only unknown histories and
 * those whose home slot was taken by a hotter one. All counts stay exact. */
#ifndef WM_CORE_PROBE_KEYS_H
#define WM_CORE_PROBE_KEYS_H

#include "core/chosen/scaled_hash.h"
#include "core/paths/path_plan.h"
#include "core/paths/paths.h"

/* No history is that large: the tag of an empty slot. */
#define WM_NO_KEY UINT64_MAX

struct wm_probe_keys {
	uint64_t multiplier;
	uint32_t bits;
	uint64_t *tag;		/* by slot: its key, or WM_NO_KEY */
	uint64_t first_counter; /* the slots' counters follow each other from there on */
};

struct wm_known_paths {
	uint32_t count;
	uint64_t *ids;	/* below the number of paths */
	double *weight; /* how often each is expected to run */
};

/* By probe of the plan: its keys, NULL for those that need none. Their counters start behind those
 * of the plan; *counter_count becomes the number of all. `paths` numbers the paths between the cuts
 * of the plan. Everything lives in the arena. */
const struct wm_probe_keys **wm_probe_keys_choose(struct wm_arena *arena,
	const struct wm_path_plan *plan, const struct wm_paths *paths,
	const struct wm_known_paths *known, uint32_t *counter_count);

#endif
