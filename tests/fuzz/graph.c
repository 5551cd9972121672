/* A DOT file: read, weighed, planned, solved, and written back to be read again. */
#include "graph/graph.h"

#include <string.h>

#include <graphviz/cgraph.h>

#include "core/graph/weights.h"
#include "fuzz.h"

/* cgraph's scanner is one per process. What it has not read of a file, and a comment or text that
 * the file leaves open behind its graph, would be the start of the next file. */
static void reset_scanner(void)
{
	for (bool reset = false; !reset;) {
		Agraph_t *probe = agmemread("digraph probe {}");
		reset = probe && strcmp(agnameof(probe), "probe") == 0;
		if (probe)
			agclose(probe);
		else
			agmemread("*/\">");
	}
}

static void plan_with_all_weights(struct wm_arena *arena, const struct wm_graph *graph)
{
	double *weight = wm_arena_alloc(arena, graph->cfg->edge_count, sizeof *weight);
	wm_fuzz_plan(graph->cfg, graph->weight);
	wm_weights_heuristic(graph->cfg, weight);
	wm_fuzz_plan(graph->cfg, weight);
	wm_weights_goldberg(graph->cfg, weight);
	wm_fuzz_plan(graph->cfg, weight);
}

static bool is_marked(void *object)
{
	const char *counter = agget(object, "counter");
	return counter && *counter;
}

static uint32_t count_marked(Agraph_t *dot)
{
	uint32_t count = 0;
	for (Agnode_t *node = agfstnode(dot); node; node = agnxtnode(dot, node)) {
		count += is_marked(node);
		for (Agedge_t *edge = agfstout(dot, node); edge; edge = agnxtout(dot, edge))
			count += is_marked(edge);
	}
	return count;
}

static void write_marked(struct wm_arena *arena, const struct wm_graph *graph, FILE *out)
{
	struct wm_plan_request request = {.problem = WM_PROBLEM_EDGES, .weight = graph->weight};
	struct wm_plan plan;
	struct wm_error error;
	WM_FUZZ_REQUIRE(wm_plan_make(arena, graph->cfg, &request, &plan, &error) == 0);
	wm_graph_write(graph, &plan, out);
	WM_FUZZ_REQUIRE(count_marked(graph->dot) == plan.probe_count);
}

static void require_round_trip(struct wm_arena *arena, const struct wm_graph *graph)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct wm_graph again;
	struct wm_error error;
	WM_FUZZ_REQUIRE(out);
	write_marked(arena, graph, out);
	WM_FUZZ_REQUIRE(fclose(out) == 0);
	reset_scanner();
	const char *path = wm_fuzz_file((const uint8_t *)text, bytes);
	WM_FUZZ_REQUIRE(wm_graph_read(arena, path, &again, &error) == 0);
	WM_FUZZ_REQUIRE(again.cfg->vertex_count == graph->cfg->vertex_count);
	WM_FUZZ_REQUIRE(again.cfg->edge_count == graph->cfg->edge_count);
	wm_graph_close(&again);
	free(text);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_graph graph;
	struct wm_error error;
	reset_scanner();
	int status = wm_graph_read(&arena, wm_fuzz_file(data, bytes), &graph, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		plan_with_all_weights(&arena, &graph);
		require_round_trip(&arena, &graph);
		wm_graph_close(&graph);
	}
	wm_arena_reset(&arena);
	return status;
}
