/* Potentials: values on all edges, moved onto the chords of a spanning tree.
 *
 * Along every closed walk, and between any two vertices up to the difference of their potentials,
 * the increments sum up to what the values sum up to. Path numbering and event counting rest on it
 * (Ball 1994).
 */
#ifndef WM_CORE_POTENTIALS_H
#define WM_CORE_POTENTIALS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/graph/cfg.h"

/* Given in_tree and value by edge (edge_count + 1 entries each), fills potential by vertex: zero at
 * the entry, and potential[u] + value = potential[v] along every tree edge u -> v. Modulo 2^64;
 * linear time. */
void wm_potentials(struct wm_arena *scratch, const struct wm_cfg *cfg, const bool *in_tree,
	const uint64_t *value, uint64_t *potential);

/* Fills increment by edge: value + potential[u] - potential[v], which is zero on the tree. The sum
 * of increments on a walk from the entry to v plus potential[v] is the sum of values. */
void wm_potentials_increments(const struct wm_cfg *cfg, const uint64_t *value,
	const uint64_t *potential, uint64_t *increment);

#endif
