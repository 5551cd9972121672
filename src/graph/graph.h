/* Graphs as DOT files, read and written with Graphviz's cgraph.
 *
 * A graph names its first and last vertex with the attributes entry and exit; its edges may have an
 * attribute weight. Everything else in the file is kept for writing it back.
 */
#ifndef WM_GRAPH_GRAPH_H
#define WM_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/counters/plan.h"
#include "core/graph/cfg.h"

struct Agraph_s;

struct wm_graph {
	struct wm_cfg *cfg;	  /* vertices and edges in the order of the file */
	const char **vertex_name; /* by vertex */
	double *weight;		  /* by edge; 0 where the file has none */
	uint32_t unweighted_edge; /* the first edge without a weight; edge_count if all have one */
	struct Agraph_s *dot;	  /* owned; given back by wm_graph_close */
};

/* Reads the only graph of the file; arrays live in the arena. WM_ERROR_SYSTEM if the file cannot be
 * read. WM_ERROR_INPUT, with the file's name, for: a syntax error (with its line), no graph or more
 * than one, an undirected or strict one, entry or exit missing, the same, or not a vertex, a vertex
 * that the entry does not reach, and a weight that is not a number of zero or more. */
int wm_graph_read(
	struct wm_arena *arena, const char *path, struct wm_graph *graph, struct wm_error *error);

/* Writes the graph with its probes marked: attribute counter (the probe's number) and looks. */
void wm_graph_write(const struct wm_graph *graph, const struct wm_plan *plan, FILE *out);

void wm_graph_close(struct wm_graph *graph);

/* An attribute of the graph itself, or NULL if the file does not give it. */
const char *wm_graph_attribute(const struct wm_graph *graph, const char *name);

/* The same of a vertex and of an edge, by number. */
const char *wm_graph_vertex_attribute(
	const struct wm_graph *graph, uint32_t vertex, const char *name);
const char *wm_graph_edge_attribute(const struct wm_graph *graph, uint32_t edge, const char *name);

#endif
