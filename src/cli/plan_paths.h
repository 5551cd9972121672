/* `waymark plan --problem=paths`: the numbers of a graph's paths. */
#ifndef WM_CLI_PLAN_PATHS_H
#define WM_CLI_PLAN_PATHS_H

#include "core/base/arena.h"
#include "graph/graph.h"

/* Prints the edges with their values and increments, as a listing or as JSON. If a path is given,
 * by its number or as vertex names with commas between them, prints that path's number and vertices
 * instead; ends the program with a message if there is no such path. */
void wm_plan_paths_print(struct wm_arena *arena, const struct wm_graph *graph, const double *weight,
	const char *path, bool json);

#endif
