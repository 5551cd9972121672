/* Cycles are strongly connected components (Tarjan 1972). Each is found behind all that it calls,
 * so their numbers are an order in which callees come first. */
#include "core/contexts/call_graph.h"

#include <stdlib.h>

#include "core/base/none.h"
#include "core/contexts/costs.h"

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

struct search {
	const struct wm_call_graph *graph;
	uint32_t *first;  /* by function: its first arc; behind the last, the end */
	uint32_t *next;	  /* by function: the arc to follow next */
	uint32_t *number; /* by function: in the order of finding, from 1; 0: not found yet */
	uint32_t *lowest; /* by function: the least number known to be in its cycle */
	uint32_t *stack, stack_count; /* found, and in no cycle yet */
	uint32_t *path, path_count;   /* of which arcs are being followed */
	uint32_t found;
};

static void enter(struct search *search, uint32_t function)
{
	search->number[function] = search->lowest[function] = ++search->found;
	search->next[function] = search->first[function];
	search->stack[search->stack_count++] = function;
	search->path[search->path_count++] = function;
}

static void lower(struct search *search, uint32_t function, uint32_t number)
{
	if (number < search->lowest[function])
		search->lowest[function] = number;
}

/* All arcs of the function were followed. */
static void leave(struct search *search, struct wm_call_graph *graph, uint32_t function)
{
	search->path_count--;
	if (search->path_count)
		lower(search, search->path[search->path_count - 1], search->lowest[function]);
	if (search->lowest[function] != search->number[function])
		return;
	uint32_t member;
	do {
		member = search->stack[--search->stack_count];
		graph->cycle[member] = graph->cycle_count;
	} while (member != function);
	graph->cycle_count++;
}

static void search_from(struct search *search, struct wm_call_graph *graph, uint32_t function)
{
	enter(search, function);
	while (search->path_count) {
		uint32_t at = search->path[search->path_count - 1];
		if (search->next[at] == search->first[at + 1]) {
			leave(search, graph, at);
			continue;
		}
		uint32_t callee = graph->arcs[search->next[at]++].callee;
		if (!search->number[callee])
			enter(search, callee);
		else if (graph->cycle[callee] == WM_NONE)
			lower(search, at, search->number[callee]);
	}
}

/* Function number `function_count` is the outside. */
static void find_cycles(
	struct wm_arena *arena, struct wm_call_graph *graph, uint32_t function_count)
{
	struct wm_arena scratch = {0};
	struct search search = {.graph = graph,
		.first = wm_arena_alloc(&scratch, function_count + 2, sizeof(uint32_t)),
		.next = wm_arena_alloc(&scratch, function_count + 1, sizeof(uint32_t)),
		.number = wm_arena_alloc(&scratch, function_count + 1, sizeof(uint32_t)),
		.lowest = wm_arena_alloc(&scratch, function_count + 1, sizeof(uint32_t)),
		.stack = wm_arena_alloc(&scratch, function_count + 1, sizeof(uint32_t)),
		.path = wm_arena_alloc(&scratch, function_count + 1, sizeof(uint32_t))};
	graph->cycle = wm_arena_alloc(arena, function_count + 1, sizeof *graph->cycle);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		uint32_t caller = graph->arcs[i].caller;
		search.first[(caller == WM_NONE ? function_count : caller) + 1]++;
	}
	for (uint32_t i = 0; i <= function_count; i++) {
		search.first[i + 1] += search.first[i];
		graph->cycle[i] = WM_NONE;
	}
	for (uint32_t i = 0; i <= function_count; i++)
		if (!search.number[i])
			search_from(&search, graph, i);
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
