/* Drawings through cgraph, which quotes whatever names hold. */
#include "graph/draw.h"

#include <graphviz/cgraph.h>

#include "core/base/arena.h"

/* cgraph copies the text but takes it as one that may be written to. */
static void set(void *object, char *name, const char *value)
{
	agsafeset(object, name, (char *)value, "");
}

static void set_looks(Agraph_t *graph, const char *title)
{
	agattr(graph, AGNODE, "shape", "box");
	agattr(graph, AGNODE, "fontname", "monospace");
	agattr(graph, AGEDGE, "fontname", "monospace");
	agattr(graph, AGEDGE, "color", "gray50");
	set(graph, "label", title);
	set(graph, "labelloc", "t");
	set(graph, "fontname", "monospace");
}

static Agnode_t *draw_vertex(Agraph_t *graph, uint32_t number, const struct wm_drawn_vertex *vertex)
{
	char name[16];
	snprintf(name, sizeof name, "b%u", number);
	Agnode_t *node = agnode(graph, name, 1);
	set(node, "label", vertex->label);
	if (vertex->marked) {
		set(node, "style", "filled");
		set(node, "fillcolor", "lightyellow");
		set(node, "color", "red");
		set(node, "penwidth", "2");
	}
	return node;
}

static void draw_edge(Agraph_t *graph, Agnode_t **nodes, const struct wm_drawn_edge *edge)
{
	Agedge_t *drawn = agedge(graph, nodes[edge->source], nodes[edge->target], NULL, 1);
	set(drawn, "label", edge->label);
	if (edge->dashed)
		set(drawn, "style", "dashed");
	if (edge->marked) {
		set(drawn, "color", "red");
		set(drawn, "fontcolor", "red");
		set(drawn, "penwidth", "3");
	}
}

void wm_graph_draw(const struct wm_drawing *drawing, FILE *out)
{
	Agraph_t *graph = agopen("path", Agdirected, NULL);
	struct wm_arena scratch = {0};
	Agnode_t **nodes = wm_arena_alloc(&scratch, drawing->vertex_count, sizeof *nodes);
	set_looks(graph, drawing->title);
	for (uint32_t i = 0; i < drawing->vertex_count; i++)
		nodes[i] = draw_vertex(graph, i, &drawing->vertices[i]);
	for (uint32_t i = 0; i < drawing->edge_count; i++)
		draw_edge(graph, nodes, &drawing->edges[i]);
	agwrite(graph, out);
	agclose(graph);
	wm_arena_reset(&scratch);
}
