/* Weightings: how often each edge is expected to run. */
#ifndef WM_CORE_WEIGHTS_H
#define WM_CORE_WEIGHTS_H

#include "core/base/arena.h"
#include "core/graph/cfg.h"

/* The heuristic of Ball & Larus 1994, section 5: loops run ten times, branches are even, one
 * topological pass over the graph without back edges. Fills weight[0 .. edge_count-1]. */
void wm_weights_heuristic(const struct wm_cfg *cfg, double *weight);

/* Goldberg's: an edge weighs the postorder number of its source, a back edge more than any other.
 */
void wm_weights_goldberg(const struct wm_cfg *cfg, double *weight);

#endif
