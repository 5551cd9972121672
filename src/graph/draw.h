/* Drawings of graphs, as DOT for Graphviz. */
#ifndef WM_GRAPH_DRAW_H
#define WM_GRAPH_DRAW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct wm_drawn_vertex {
	const char *label; /* may have line feeds */
	bool marked;
};

struct wm_drawn_edge {
	uint32_t source; /* vertices by index */
	uint32_t target;
	const char *label;
	bool marked;
	bool dashed;
};

struct wm_drawing {
	const char *title;
	uint32_t vertex_count;
	const struct wm_drawn_vertex *vertices;
	uint32_t edge_count;
	const struct wm_drawn_edge *edges;
};

/* Writes the drawing. Marked vertices and edges stand out. */
void wm_graph_draw(const struct wm_drawing *drawing, FILE *out);

#endif
