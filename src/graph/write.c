/* Writing DOT: the graph as it was read, with attributes added to whatever carries a counter. */
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

void wm_graph_write(const struct wm_graph *graph, const struct wm_plan *plan, FILE *out)
{
	struct wm_arena scratch = {0};
	const struct wm_cfg *cfg = graph->cfg;
	void **node = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *node);
	void **edge = wm_arena_alloc(&scratch, cfg->edge_count, sizeof *edge);
	for (Agnode_t *n = agfstnode(graph->dot); n; n = agnxtnode(graph->dot, n)) {
		node[AGSEQ(n) - 1] = n;
		for (Agedge_t *e = agfstout(graph->dot, n); e; e = agnxtout(graph->dot, e))
			edge[AGSEQ(e) - 1] = e;
	}
	for (uint32_t k = 0; k < plan->probe_count; k++)
		mark((plan->probes[k].kind == WM_PROBE_EDGE ? edge : node)[plan->probes[k].index],
			k);
	agwrite(graph->dot, out);
	wm_arena_reset(&scratch);
}
