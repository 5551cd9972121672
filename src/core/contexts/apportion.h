/* What gprof would say of a program, from the same calls and costs: it knows what each function
 * costs and who calls it how often, but not which calls are expensive. So it gives each caller a
 * part of the callee's cost that is its part of the calls (Graham, Kessler, McKusick 1982).
 * Functions that call each other are one to it. */
#ifndef WM_CORE_CONTEXTS_APPORTION_H
#define WM_CORE_CONTEXTS_APPORTION_H

#include "core/contexts/call_graph.h"

/* By arc: the cost that gprof gives it; 0 within a cycle. `own` is by record. */
double *wm_call_graph_apportion(struct wm_arena *arena, const struct wm_call_graph *graph,
	const struct wm_contexts *contexts, const uint64_t *own, uint32_t function_count);

/* Whether the arc leads from a cycle to itself. */
bool wm_call_graph_is_inner(
	const struct wm_call_graph *graph, uint32_t arc, uint32_t function_count);

#endif
