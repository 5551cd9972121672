/* Cycles are strongly connected components (Tarjan 1972). Each is found behind all that it calls,
 * so their numbers are an order in which callees come first. */
#include "core/contexts/call_graph.h"

#include <stdlib.h>

#include "core/base/none.h"
#include "core/contexts/costs.h"
#include "core/graph/components.h"

static int compare_arcs(const void *left, const void *right)
{
	const struct wm_context_arc *a = left, *b = right;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

static uint32_t add_up(struct wm_context_arc *arcs, uint32_t count)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (kept == 0 || compare_arcs(&arcs[kept - 1], &arcs[i]) != 0) {
			arcs[kept++] = arcs[i];
			continue;
		}
		arcs[kept - 1].calls += arcs[i].calls;
		arcs[kept - 1].cost += arcs[i].cost;
	}
	return kept;
}

/* The calls of each link, and the costs of each record. */
static void find_arcs(struct wm_arena *arena, const struct wm_contexts *contexts,
	const uint64_t *own, struct wm_call_graph *graph)
{
	struct wm_arena scratch = {0};
	const struct wm_context_record *records = contexts->records;
	const uint64_t *cost = wm_context_costs(&scratch, contexts, own);
	size_t most = (size_t)contexts->link_count + contexts->record_count;
	graph->arcs = wm_arena_alloc(arena, most, sizeof *graph->arcs);
	uint32_t count = 0;
	for (uint32_t i = 0; i < contexts->link_count; i++) {
		const struct wm_context_link *link = &contexts->links[i];
		graph->arcs[count++] = (struct wm_context_arc){records[link->source].function,
			records[link->target].function, link->count, 0};
	}
	for (uint32_t i = 1; i < contexts->record_count; i++)
		graph->arcs[count++] = (struct wm_context_arc){
			records[records[i].parent].function, records[i].function, 0, cost[i]};
	if (count)
		qsort(graph->arcs, count, sizeof *graph->arcs, compare_arcs);
	graph->arc_count = add_up(graph->arcs, count);
	wm_arena_reset(&scratch);
}

/* Function number `function_count` is the outside. */
static void find_cycles(
	struct wm_arena *arena, struct wm_call_graph *graph, uint32_t function_count)
{
	struct wm_arena scratch = {0};
	uint32_t *caller = wm_arena_alloc(&scratch, graph->arc_count, sizeof *caller);
	uint32_t *callee = wm_arena_alloc(&scratch, graph->arc_count, sizeof *callee);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct wm_context_arc *arc = &graph->arcs[i];
		caller[i] = arc->caller == WM_NONE ? function_count : arc->caller;
		callee[i] = arc->callee;
	}
	graph->cycle = wm_components_find(
		arena, function_count + 1, graph->arc_count, caller, callee, &graph->cycle_count);
	wm_arena_reset(&scratch);
}

struct wm_call_graph wm_call_graph_make(struct wm_arena *arena, const struct wm_contexts *contexts,
	const uint64_t *own, uint32_t function_count)
{
	struct wm_call_graph graph = {0};
	find_arcs(arena, contexts, own, &graph);
	find_cycles(arena, &graph, function_count);
	return graph;
}
