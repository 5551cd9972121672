/* Propagation: from the counted edges or vertices to all of them, by the flow law. */
#ifndef WM_CORE_PROPAGATE_H
#define WM_CORE_PROPAGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/counters/plan.h"
#include "core/graph/cfg.h"

struct wm_counts {
	uint64_t *edge;	  /* by edge, edge_count + 1 entries; meaningful only if edges_known */
	uint64_t *vertex; /* by vertex: how often it was entered */
	bool edges_known; /* false for placements that determine vertices only */
	bool exit_known; /* false if vertex counters alone cannot tell how often EXIT was reached */
};

/* counter[k] is the value of probe k. left_early[v], or NULL for all zero, says how many
 * activations ended inside v without taking any of its edges; they flow to EXIT. Counts are modulo
 * 2^64. Fails with WM_ERROR_UNSOLVABLE if the probes do not determine every vertex but EXIT, and
 * with WM_ERROR_INPUT if one names an edge or vertex that is not there. Results live in the arena.
 */
int wm_propagate(struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_probe *probes,
	uint32_t probe_count, const uint64_t *counter, const uint64_t *left_early,
	struct wm_counts *counts, struct wm_error *error);

#endif
