/* Writing DOT: the graph as it was read, with attributes added to each edge and vertex that carries
 * a counter. */
#include "graph/graph.h"

#include <graphviz/cgraph.h>

static void mark(void *object, uint32_t counter)
{
	char number[16];
	char label[20];
	snprintf(number, sizeof number, "%u", counter);
	snprintf(label, sizeof label, "#%u", counter);
	agsafeset(object, "counter", number, "");
	agsafeset(object, "xlabel", label, "");
	agsafeset(object, "color", "red", "black");
	agsafeset(object, "penwidth", "2", "1");
}

/* The graph may be one that was written here before. */
static void unmark(void *object)
{
	const char *counter = agget(object, "counter");
	if (!counter || !*counter)
		return;
	agsafeset(object, "counter", "", "");
	agsafeset(object, "xlabel", "", "");
	agsafeset(object, "color", "black", "black");
	agsafeset(object, "penwidth", "1", "1");
}

/* cgraph leaves out the braces of a subgraph that has neither name nor attribute of its own, but
 * writes an edge of a subgraph inside it twice. An attribute that differs from the parent's keeps
 * the braces. */
static void keep_nesting(Agraph_t *graph, unsigned level)
{
	char text[16];
	snprintf(text, sizeof text, "%u", level);
	for (Agraph_t *part = agfstsubg(graph); part; part = agnxtsubg(part)) {
		if (agfstsubg(part))
			agsafeset(part, "waymark_level", text, "");
		keep_nesting(part, level + 1);
	}
}

void wm_graph_write(const struct wm_graph *graph, const struct wm_plan *plan, FILE *out)
{
	struct wm_arena scratch = {0};
	const struct wm_cfg *cfg = graph->cfg;
	void **node = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *node);
	void **edge = wm_arena_alloc(&scratch, cfg->edge_count, sizeof *edge);
	for (Agnode_t *n = agfstnode(graph->dot); n; n = agnxtnode(graph->dot, n)) {
		unmark(n);
		node[AGSEQ(n) - 1] = n;
		for (Agedge_t *e = agfstout(graph->dot, n); e; e = agnxtout(graph->dot, e)) {
			unmark(e);
			edge[AGSEQ(e) - 1] = e;
		}
	}
	for (uint32_t k = 0; k < plan->probe_count; k++)
		mark((plan->probes[k].kind == WM_PROBE_EDGE ? edge : node)[plan->probes[k].index],
			k);
	keep_nesting(graph->dot, 1);
	agwrite(graph->dot, out);
	wm_arena_reset(&scratch);
}
