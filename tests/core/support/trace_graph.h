/* Graphs for tests of traces: written as text, or random ones in which every vertex lies on a route
 * from the entry to EXIT; and walks through them. */
#ifndef WM_TESTS_TRACE_GRAPH_H
#define WM_TESTS_TRACE_GRAPH_H

#include "core/trace/witnesses.h"
#include "support/random_graph.h"

enum { MAX_TRACE_WALK = 4000 };

/* "A B 2, A X 1" has the edges A -> B and A -> X with weights 2 and 1. Vertices are letters, A the
 * first that is named, X is EXIT. The letters in `calls` are stops, and so is EXIT if asked for. */
struct wm_trace_problem trace_graph(
	struct wm_arena *arena, const char *text, const char *calls, bool exit_stops);

/* The letter of a vertex. */
char trace_vertex_name(const char *text, uint32_t vertex);

/* At most max_vertices, about a third of them calls; weights from walks, so that they are a flow.
 */
struct wm_trace_problem random_trace_graph(
	struct wm_arena *arena, struct random_source *source, uint32_t max_vertices);

/* The edges of a random walk from the entry to EXIT. Returns how many. */
uint32_t random_trace_walk(struct random_source *source, const struct wm_cfg *cfg, uint32_t *edges);

#endif
