/* Path numbering: a few passes over arrays in postorder, no recursion.
 *
 * Each further cut edge makes a new acyclic graph. Back edges suffice for nearly all
 * functions; those with too many paths lose, at the first vertex in postorder whose paths exceed
 * the limit, its coldest edges, each of which then counts as one path there.
 */
#include "core/paths/paths.h"

#include <string.h>

#include "core/graph/depth_first.h"
#include "core/graph/potentials.h"
#include "core/graph/spanning_tree.h"

enum { KINDS = WM_PATH_EDGE_END + 1 };

static const uint64_t MAX_PATHS = (uint64_t)1 << 63;

struct numbering {
	struct wm_arena *arena;
	struct wm_arena scratch;
	const struct wm_cfg *function;
	const double *weight;
	uint64_t limit;
	struct wm_depth_first search; /* of the function: cutting more edges keeps its order */
	uint32_t *starter;	      /* by vertex: the first cut edge into it, or WM_NONE */
	struct wm_paths *paths;
};

static bool leaves_exit(const struct wm_cfg *function, uint32_t edge)
{
	return function->source[edge] == function->exit;
}

/* The kinds of edges that the function's edge has in the graph of paths, a bit for each. Paths that
 * start at one vertex start by one edge; those that start at the entry need none to get there. */
static unsigned kinds_of(const struct numbering *numbering, uint32_t edge)
{
	const struct wm_cfg *function = numbering->function;
	if (!numbering->paths->cut[edge])
		return 1u << WM_PATH_EDGE_INNER;
	bool starts = numbering->starter[function->target[edge]] == edge &&
		      function->target[edge] != function->entry;
	bool ends = !leaves_exit(function, edge);
	return (unsigned)starts << WM_PATH_EDGE_START | (unsigned)ends << WM_PATH_EDGE_END;
}

/* Finds where the edges of each kind begin; returns how many there are of all. */
static uint32_t find_first_edges(const struct numbering *numbering, uint32_t *first)
{
	uint32_t count[KINDS] = {0}, all = 0;
	for (uint32_t e = 0; e < numbering->function->edge_count; e++) {
		unsigned kinds = kinds_of(numbering, e);
		for (int kind = 0; kind < KINDS; kind++)
			count[kind] += kinds >> kind & 1;
	}
	for (int kind = 0; kind < KINDS; kind++) {
		first[kind] = all;
		all += count[kind];
	}
	return all;
}

static void find_starters(struct numbering *numbering)
{
	const struct wm_cfg *function = numbering->function;
	for (uint32_t v = 0; v < function->vertex_count; v++)
		numbering->starter[v] = WM_NONE;
	for (uint32_t e = function->edge_count; e-- > 0;)
		if (numbering->paths->cut[e])
			numbering->starter[function->target[e]] = e;
}

static void add_edge(const struct numbering *numbering, uint32_t edge, uint32_t origin, int kind)
{
	const struct wm_cfg *function = numbering->function;
	struct wm_paths *paths = numbering->paths;
	paths->graph->source[edge] =
		kind == WM_PATH_EDGE_START ? function->entry : function->source[origin];
	paths->graph->target[edge] =
		kind == WM_PATH_EDGE_END ? function->exit : function->target[origin];
	paths->kind[edge] = (uint8_t)kind;
	paths->origin[edge] = origin;
}

/* Inner edges first, so that they get the smaller values. */
static void build_graph(struct numbering *numbering)
{
	const struct wm_cfg *function = numbering->function;
	struct wm_paths *paths = numbering->paths;
	uint32_t next[KINDS];
	find_starters(numbering);
	uint32_t count = find_first_edges(numbering, next);
	paths->kind = wm_arena_alloc_unset(numbering->arena, count, sizeof *paths->kind);
	paths->origin = wm_arena_alloc_unset(numbering->arena, count, sizeof *paths->origin);
	paths->graph = wm_cfg_allocate(
		numbering->arena, function->vertex_count, count, function->entry, function->exit);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		unsigned kinds = kinds_of(numbering, e);
		for (int kind = 0; kind < KINDS; kind++)
			if (kinds >> kind & 1)
				add_edge(numbering, next[kind]++, e, kind);
	}
	wm_cfg_close(paths->graph);
}

/* Paths from the vertex; gives its edges their values. More than the limit may come out, but not
 * more than fits: every summand is within the limit. */
static uint64_t number_vertex(struct wm_paths *paths, uint32_t v, uint64_t limit)
{
	const struct wm_cfg *graph = paths->graph;
	uint64_t sum = 0;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (e == wm_cfg_closing_edge(graph))
			continue;
		paths->value[e] = sum;
		sum += paths->from[graph->out_target[i]];
		if (sum > limit)
			return sum;
	}
	return sum ? sum : 1;
}

/* The coldest edge of the vertex that is not cut yet and has more than one path behind it. */
static uint32_t coldest_edge(const struct numbering *numbering, uint32_t v)
{
	const struct wm_cfg *graph = numbering->paths->graph;
	uint32_t coldest = WM_NONE;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (e == wm_cfg_closing_edge(graph) ||
			numbering->paths->kind[e] != WM_PATH_EDGE_INNER ||
			numbering->paths->from[graph->target[e]] < 2)
			continue;
		uint32_t origin = numbering->paths->origin[e];
		if (coldest == WM_NONE || !numbering->weight ||
			numbering->weight[origin] < numbering->weight[coldest])
			coldest = origin;
	}
	return coldest;
}

/* Numbers all vertices but the entry within the limit; returns the vertex that exceeds it, or
 * WM_NONE. */
static uint32_t number_vertices(struct numbering *numbering)
{
	struct wm_paths *paths = numbering->paths;
	const struct wm_cfg *graph = paths->graph;
	paths->from[graph->exit] = 1;
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = numbering->search.postorder[i];
		if (v == graph->entry || v == graph->exit)
			continue;
		paths->from[v] = number_vertex(paths, v, numbering->limit);
		if (paths->from[v] > numbering->limit)
			return v;
	}
	return WM_NONE;
}

/* One attempt; sets *again if it cut an edge and the next may succeed. Returns 0, or -1 if there
 * are too many paths. */
static int try_to_number(struct numbering *numbering, bool *again)
{
	struct wm_paths *paths = numbering->paths;
	build_graph(numbering);
	uint32_t entry = paths->graph->entry;
	paths->value = wm_arena_alloc(
		numbering->arena, (size_t)paths->graph->edge_count + 1, sizeof *paths->value);
	uint32_t exceeding = number_vertices(numbering);
	*again = exceeding != WM_NONE;
	if (*again) {
		uint32_t edge = coldest_edge(numbering, exceeding);
		if (edge == WM_NONE)
			return -1;
		paths->cut[edge] = true;
		return 0;
	}
	paths->count = paths->from[entry] = number_vertex(paths, entry, MAX_PATHS);
	return paths->count > MAX_PATHS ? -1 : 0;
}

/* An edge to the entry that is no back edge comes from code that only a second return of setjmp
 * reaches. */
static void cut_back_edges(struct numbering *numbering)
{
	const struct wm_cfg *function = numbering->function;
	for (uint32_t e = 0; e < function->edge_count; e++)
		numbering->paths->cut[e] = numbering->search.back_edge[e] ||
					   leaves_exit(function, e) ||
					   function->target[e] == function->entry;
}

static struct numbering start_numbering(
	struct wm_arena *arena, const struct wm_cfg *function, struct wm_paths *paths)
{
	struct numbering numbering = {
		.arena = arena, .function = function, .limit = MAX_PATHS, .paths = paths};
	paths->cut = wm_arena_alloc_unset(arena, function->edge_count, sizeof *paths->cut);
	paths->from = wm_arena_alloc(arena, function->vertex_count, sizeof *paths->from);
	numbering.search = wm_depth_first_search(&numbering.scratch, function);
	numbering.starter = wm_arena_alloc_unset(
		&numbering.scratch, function->vertex_count, sizeof *numbering.starter);
	return numbering;
}

int wm_paths_number(struct wm_arena *arena, const struct wm_cfg *function, const double *weight,
	uint64_t limit, struct wm_paths *paths, struct wm_error *error)
{
	struct numbering numbering = start_numbering(arena, function, paths);
	bool again = true;
	int status = 0;
	numbering.weight = weight;
	numbering.limit = limit;
	cut_back_edges(&numbering);
	while (again && !status)
		status = try_to_number(&numbering, &again);
	wm_arena_reset(&numbering.scratch);
	if (status)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the function has more than 2^63 paths, with at most %llu from each block",
			(unsigned long long)limit);
	return 0;
}

int wm_paths_number_regions(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	struct wm_paths *paths, struct wm_error *error)
{
	struct numbering numbering = start_numbering(arena, function, paths);
	bool again;
	for (uint32_t e = 0; e < function->edge_count; e++)
		paths->cut[e] = cut[e] && function->target[e] != function->exit;
	int status = try_to_number(&numbering, &again);
	wm_arena_reset(&numbering.scratch);
	if (status || again)
		return wm_error_set(error, WM_ERROR_INPUT, "the function has more than 2^63 paths");
	return 0;
}

uint64_t *wm_paths_increments(
	struct wm_arena *arena, const struct wm_paths *paths, const double *weight)
{
	const struct wm_cfg *graph = paths->graph;
	struct wm_error unused;
	bool *in_tree;
	double *own = wm_arena_alloc(arena, graph->edge_count, sizeof *own);
	uint64_t *potential = wm_arena_alloc(arena, graph->vertex_count, sizeof *potential);
	uint64_t *increment =
		wm_arena_alloc(arena, (size_t)graph->edge_count + 1, sizeof *increment);
	for (uint32_t e = 0; e < graph->edge_count; e++)
		own[e] = weight[paths->origin[e]];
	/* Only uncountable edges can make this fail, and there are none. */
	(void)wm_spanning_tree(arena, graph, own, NULL, false, &in_tree, &unused);
	wm_potentials(arena, graph, in_tree, paths->value, potential);
	wm_potentials_increments(graph, paths->value, potential, increment);
	return increment;
}

/* The edge of the vertex whose values the rest of the number falls into: the last that is not
 * larger. */
static uint32_t edge_for(const struct wm_paths *paths, uint32_t v, uint64_t rest)
{
	const struct wm_cfg *graph = paths->graph;
	uint32_t found = WM_NONE;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (e != wm_cfg_closing_edge(graph) && paths->value[e] <= rest &&
			(found == WM_NONE || paths->value[e] > paths->value[found]))
			found = e;
	}
	return found;
}

uint32_t wm_paths_decode(const struct wm_paths *paths, uint64_t number, uint32_t *edges)
{
	const struct wm_cfg *graph = paths->graph;
	uint32_t count = 0;
	uint32_t v = graph->entry;
	while (v != graph->exit) {
		uint32_t e = edge_for(paths, v, number);
		if (e == WM_NONE)
			break;
		number -= paths->value[e];
		edges[count++] = e;
		v = graph->target[e];
	}
	return count;
}
