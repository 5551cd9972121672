/* Sentinels: probes only where the tested paths of a function are left.
 *
 * A *live prefix* is the beginning of a tested path. Live prefixes at a vertex are of one class if
 * the same rests make them tested paths: the states of the smallest automaton that accepts exactly
 * the tested paths. An edge that no class of its source has gets a plain sentinel: control that
 * comes there alive leaves the tested paths. An edge that some classes have gets one that looks at
 * the history. An edge that all have gets none. Where a vertex has one class, what came before need
 * not be told apart, and routes are numbered from 0 again.
 *
 * A path that is not tested has one longest live prefix, and the edge behind it has a sentinel that
 * is armed for its history. A tested path meets no armed sentinel. What a path meets behind its
 * departure was told already, or is another true statement: no tested path that came this way since
 * routes were numbered anew goes on like this. */
#ifndef WM_CORE_SENTINELS_H
#define WM_CORE_SENTINELS_H

#include "core/chosen/path_trie.h"
#include "core/paths/path_plan.h"

struct wm_sentinels {
	const struct wm_paths *paths;
	struct wm_path_trie trie;
	bool *cut; /* by edge of the function, closing edge included: routes are numbered from 0
		      behind it */
	uint32_t probe_count;
	struct wm_probe *probes; /* in a block: no tested path starts there */
};

/* Chooses them. The paths of the function are between cuts into whose targets all edges are cut;
 * `tested` are numbers of them. Edges that are not `watched` need no sentinel: what leaves there is
 * not looked for. */
void wm_sentinels_choose(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_paths *paths, const uint64_t *tested, uint32_t tested_count,
	const bool *watched, struct wm_sentinels *sentinels);

/* By counter of a plan of these probes: whether its sentinel tells when it is met. */
bool *wm_sentinels_arm(struct wm_arena *arena, const struct wm_sentinels *sentinels,
	const struct wm_path_plan *plan);

#endif
