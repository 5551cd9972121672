/* Paths of a graph as people name them: by number, or by the vertices that they pass. */
#ifndef WM_CLI_GRAPH_PATHS_H
#define WM_CLI_GRAPH_PATHS_H

#include "core/base/arena.h"
#include "core/paths/paths.h"
#include "graph/graph.h"
#include "report/json.h"

struct wm_graph_paths {
	struct wm_arena *arena;
	const struct wm_graph *graph;
	struct wm_paths paths;
};

/* Numbers the paths; ends the program with a message if there are too many. */
struct wm_graph_paths wm_graph_paths_number(
	struct wm_arena *arena, const struct wm_graph *graph, const double *weight);

/* The number of the path named by this text: a number, or vertices with the separator between them.
 * Ends the program with a message that begins with the option if there is no such path. */
uint64_t wm_graph_paths_find(
	const struct wm_graph_paths *paths, const char *option, const char *text, char separator);

/* The names of the vertices on this path, with blanks between them. */
const char *wm_graph_paths_spell(const struct wm_graph_paths *paths, uint64_t number);

/* The same as a member of a JSON object. */
void wm_graph_paths_json(const struct wm_graph_paths *paths, struct wm_json *json, uint64_t number);

/* Of an edge of the paths' graph: its ends, and what it stands for. */
const char *wm_graph_paths_source(const struct wm_graph_paths *paths, uint32_t edge);
const char *wm_graph_paths_target(const struct wm_graph_paths *paths, uint32_t edge);
const char *wm_graph_paths_kind(const struct wm_graph_paths *paths, uint32_t edge);

#endif
