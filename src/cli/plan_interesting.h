/* `waymark plan --problem=select|prefer`: numbers for those paths of a graph that matter. */
#ifndef WM_CLI_PLAN_INTERESTING_H
#define WM_CLI_PLAN_INTERESTING_H

#include "core/base/arena.h"
#include "graph/graph.h"

struct wm_interesting_request {
	bool prefer;	  /* preferential numbering; otherwise selective profiling */
	const char *list; /* of paths, with commas between them: numbers, or vertices as A-B-C */
	const char *path; /* NULL, or only this path, as for wm_plan_paths_print */
	bool json;
};

/* Prints edges, interesting paths and their listing; or one path, its sum, and which interesting
 * path the sum stands for. Ends the program with a message if a path does not exist or is named
 * twice.
 */
void wm_plan_interesting_print(struct wm_arena *arena, const struct wm_graph *graph,
	const double *weight, const struct wm_interesting_request *request);

#endif
