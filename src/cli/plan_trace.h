/* `waymark plan --problem=trace`: which edges write a code, so that the order of execution can be
 * told. */
#ifndef WM_CLI_PLAN_TRACE_H
#define WM_CLI_PLAN_TRACE_H

#include "core/base/arena.h"
#include "graph/graph.h"

struct wm_plan_trace_request {
	const char *sequence; /* codes of an execution that is to be told; NULL: print the plan */
	bool json;
};

/* Reads the attributes call of vertices and witness of edges; without any witness, places them.
 * Prints witnesses, their codes and cost, or the execution. Ends the program with a message if
 * witnesses or sequence do not fit the graph. */
void wm_plan_trace_print(struct wm_arena *arena, const struct wm_graph *graph, const double *weight,
	const struct wm_plan_trace_request *request);

#endif
