/* Cycles are taken in the order of their numbers, so a callee's cost is whole before its callers
 * get their parts of it. */
#include "core/contexts/apportion.h"

#include <stdlib.h>

#include "core/base/none.h"

static uint32_t cycle_of(
	const struct wm_call_graph *graph, uint32_t function, uint32_t function_count)
{
	return graph->cycle[function == WM_NONE ? function_count : function];
}

bool wm_call_graph_is_inner(
	const struct wm_call_graph *graph, uint32_t arc, uint32_t function_count)
{
	const struct wm_context_arc *each = &graph->arcs[arc];
	return cycle_of(graph, each->caller, function_count) == graph->cycle[each->callee];
}

struct pair {
	uint32_t cycle; /* of the callee */
	uint32_t arc;
};

static int by_cycle(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;
	if (a->cycle != b->cycle)
		return a->cycle < b->cycle ? -1 : 1;
	return (a->arc > b->arc) - (a->arc < b->arc);
}

/* The arcs into each cycle from elsewhere, those of the first cycle first. */
static struct pair *sort_arcs(struct wm_arena *arena, const struct wm_call_graph *graph,
	uint32_t function_count, uint32_t *count)
{
	struct pair *pairs = wm_arena_alloc(arena, graph->arc_count, sizeof *pairs);
	*count = 0;
	for (uint32_t i = 0; i < graph->arc_count; i++)
		if (!wm_call_graph_is_inner(graph, i, function_count))
			pairs[(*count)++] = (struct pair){graph->cycle[graph->arcs[i].callee], i};
	if (*count)
		qsort(pairs, *count, sizeof *pairs, by_cycle);
	return pairs;
}

double *wm_call_graph_apportion(struct wm_arena *arena, const struct wm_call_graph *graph,
	const struct wm_contexts *contexts, const uint64_t *own, uint32_t function_count)
{
	struct wm_arena scratch = {0};
	double *given = wm_arena_alloc(arena, graph->arc_count, sizeof *given);
	double *cost = wm_arena_alloc(&scratch, graph->cycle_count, sizeof *cost);
	double *calls = wm_arena_alloc(&scratch, graph->cycle_count, sizeof *calls);
	uint32_t count;
	const struct pair *pairs = sort_arcs(&scratch, graph, function_count, &count);
	for (uint32_t i = 1; i < contexts->record_count; i++)
		cost[graph->cycle[contexts->records[i].function]] += (double)own[i];
	for (uint32_t i = 0; i < count; i++)
		calls[pairs[i].cycle] += (double)graph->arcs[pairs[i].arc].calls;
	for (uint32_t i = 0; i < count; i++) {
		const struct wm_context_arc *arc = &graph->arcs[pairs[i].arc];
		uint32_t callee = pairs[i].cycle;
		if (calls[callee] > 0)
			given[pairs[i].arc] = cost[callee] * (double)arc->calls / calls[callee];
		cost[cycle_of(graph, arc->caller, function_count)] += given[pairs[i].arc];
	}
	wm_arena_reset(&scratch);
	return given;
}
