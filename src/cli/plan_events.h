/* `waymark plan --problem=events`: where a running sum of events is increased. */
#ifndef WM_CLI_PLAN_EVENTS_H
#define WM_CLI_PLAN_EVENTS_H

#include "core/base/arena.h"
#include "graph/graph.h"

/* Reads the attribute events of vertices ("3 | 4": three events, an anchor, four more) and edges,
 * and prints increments, what to add to the sum elsewhere, and cost, as a listing or as JSON. Ends
 * the program with a message if an attribute is wrong. */
void wm_plan_events_print(
	struct wm_arena *arena, const struct wm_graph *graph, const double *weight, bool json);

#endif
