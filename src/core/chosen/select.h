/* Selective path profiling: probes for a few paths of a function, and only where these paths go.
 *
 * Each edge of a selected path is *interesting*. Numbered with the uninteresting edges of each
 * vertex first, the sums of the selected paths stay unique when the probes on all uninteresting
 * edges are left out (Apiwattanapong and Harrold 2002). Probes are then pushed down and merged,
 * under a condition of ours: the published push makes other paths share a selected path's sum.
 */
#ifndef WM_CORE_SELECT_H
#define WM_CORE_SELECT_H

#include "core/paths/paths.h"

struct wm_selection {
	bool *interesting;   /* by edge of the paths' graph: on a selected path */
	uint64_t *value;     /* by edge of the paths' graph: its number; 0 if not interesting */
	uint64_t *increment; /* the same after pushing: what the edge's probe adds; 0: no probe */
	uint64_t *sum;	     /* by selected path, in the order given */
	uint32_t probe_count;
};

/* Selects the paths with these numbers, each below paths->count; everything lives in the arena. No
 * other path of the graph has the sum of a selected one: a path is selected if and only if its sum
 * is among them. Of a vertex's interesting edges the one with the largest weight is the first to do
 * without a probe; weights are by edge of the function, NULL for none. */
void wm_select_plan(struct wm_arena *arena, const struct wm_paths *paths, const double *weight,
	const uint64_t *numbers, uint32_t count, struct wm_selection *selection);

#endif
