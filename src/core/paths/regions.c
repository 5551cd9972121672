/* Regions: the choice of cuts, then the numbers of histories.
 *
 * Some edges must be cut in every function. One pass in the order of flow cuts more of them where
 * too many routes would lead. If that leaves too many counters, the pass is repeated with a lower
 * limit. Another pass in the same order numbers the histories that the cuts leave.
 */
#include "core/paths/regions.h"

#include <string.h>

/* Up to this many routes to a vertex are told apart even if there are too many counters. */
enum { MIN_ROUTES = 4 };

/* The shift if histories have no prehistory: every bit belongs to the route. */
enum { NO_PREHISTORY_SHIFT = 63 };

static const uint64_t MAX_HISTORIES = (uint64_t)1 << 62;

/* Cuts that are being chosen. */
struct choice {
	const struct wm_cfg *function;
	const struct wm_regions_request *request;
	struct wm_flow_order order;
	uint64_t max_routes;
	struct wm_cuts cuts;
	bool *starts;		/* by vertex: routes are numbered from 0 again there */
	uint64_t *routes;	/* by vertex */
	uint64_t *prehistories; /* by vertex */
};

static void choose_headers(struct choice *choice)
{
	const struct wm_cfg *function = choice->function;
	const struct wm_regions_request *request = choice->request;
	for (uint32_t v = 0; v < function->vertex_count; v++)
		choice->starts[v] = request->must_start && request->must_start[v];
	for (uint32_t e = 0; request->at_loop_entries && e < function->edge_count; e++)
		choice->starts[function->target[e]] |= choice->order.back_edge[e];
}

/* Edges that end a path in any case. */
static bool must_be_cut(const struct choice *choice, uint32_t edge)
{
	const struct wm_regions_request *request = choice->request;
	return wm_cfg_touches_exit(choice->function, edge) || choice->order.back_edge[edge] ||
	       (request->must_start && request->must_start[choice->function->target[edge]]);
}

/* All histories at the vertex: prehistories times routes. */
static uint64_t count_histories(const struct choice *choice, uint32_t v)
{
	return choice->routes[v] * (choice->prehistories[v] + 1);
}

/* How many routes lead to the vertex, if those to its predecessors are known. More than `max` need
 * not be exact. */
static uint64_t count_routes(const struct choice *choice, uint32_t v, uint64_t max)
{
	const struct wm_cfg *function = choice->function;
	uint64_t count = 0;
	bool starts = false;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (choice->cuts.cut[e])
			starts = true;
		else
			count += choice->routes[function->source[e]];
		if (count > max)
			return count;
	}
	return count + starts;
}

/* How many prehistories the vertex takes over from its predecessors or, if routes start at it,
 * makes of them. More than `max` need not be exact. */
static uint64_t count_prehistories(const struct choice *choice, uint32_t v, uint64_t max)
{
	const struct wm_cfg *function = choice->function;
	uint64_t sum = 0, largest = 0;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k], u = function->source[e];
		if (choice->cuts.cut[e])
			continue;
		sum += count_histories(choice, u);
		if (choice->prehistories[u] > largest)
			largest = choice->prehistories[u];
		if (choice->starts[v] && sum > max)
			return sum;
	}
	return choice->starts[v] ? sum : largest;
}

/* So far only those of its in-edges are cut that must be. */
static void start_at(struct choice *choice, uint32_t v)
{
	const struct wm_cfg *function = choice->function;
	uint64_t max = choice->request->max_prehistories;
	bool possible =
		max && !(choice->request->no_prehistory && choice->request->no_prehistory[v]);
	uint64_t prehistories = possible ? count_prehistories(choice, v, max) : 0;
	bool soft = possible && prehistories <= max;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		choice->cuts.soft[e] = soft && !choice->cuts.cut[e];
		choice->cuts.cut[e] = !choice->cuts.soft[e];
	}
	choice->routes[v] = 1;
	choice->prehistories[v] = soft ? prehistories : 0;
}

/* Whether routes are numbered from 0 again at the vertex, however many there are. */
static bool starts_anyway(const struct choice *choice, uint32_t v)
{
	const struct wm_regions_request *request = choice->request;
	if (!choice->starts[v] || !request->max_prehistories)
		return choice->starts[v];
	return (request->must_start && request->must_start[v]) ||
	       (request->no_prehistory && request->no_prehistory[v]) ||
	       count_routes(choice, v, request->max_routes_into_loop) >
		       request->max_routes_into_loop;
}

static void choose_at(struct choice *choice, uint32_t v)
{
	choice->starts[v] = starts_anyway(choice, v);
	if (!choice->starts[v]) {
		choice->routes[v] = count_routes(choice, v, choice->max_routes);
		if (choice->request->max_prehistories)
			choice->prehistories[v] = count_prehistories(choice, v, UINT64_MAX);
		choice->starts[v] = choice->routes[v] > choice->max_routes;
	}
	if (choice->starts[v])
		start_at(choice, v);
}

static void choose(struct choice *choice)
{
	const struct wm_cfg *function = choice->function;
	choose_headers(choice);
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		choice->cuts.cut[e] = must_be_cut(choice, e);
		choice->cuts.soft[e] = false;
	}
	for (uint32_t i = function->vertex_count; i-- > 0;)
		choose_at(choice, choice->order.postorder[i]);
}

/* Of the edges that leave a vertex all but one are counted for each route to the vertex. */
static uint64_t count_counters(const struct choice *choice)
{
	const struct wm_cfg *function = choice->function;
	uint64_t count = 0;
	for (uint32_t v = 0; v < function->vertex_count; v++) {
		uint32_t edges = function->out_start[v + 1] - function->out_start[v];
		if (v != function->exit && edges > 1)
			count += (edges - 1) * choice->routes[v];
	}
	return count;
}

struct wm_cuts wm_regions_cut_along(struct wm_arena *arena, const struct wm_cfg *function,
	struct wm_flow_order order, const struct wm_regions_request *request)
{
	uint32_t vertices = function->vertex_count;
	size_t edges = (size_t)function->edge_count + 1;
	struct wm_arena scratch = {0};
	struct choice choice = {.function = function,
		.request = request,
		.order = order,
		.max_routes = request->max_routes,
		.cuts = {wm_arena_alloc(arena, edges, sizeof(bool)),
			wm_arena_alloc(arena, edges, sizeof(bool))},
		.starts = wm_arena_alloc(&scratch, vertices, sizeof(bool)),
		.routes = wm_arena_alloc(&scratch, vertices, sizeof(uint64_t)),
		.prehistories = wm_arena_alloc(&scratch, vertices, sizeof(uint64_t))};
	choose(&choice);
	while (request->max_counters && choice.max_routes > MIN_ROUTES &&
		count_counters(&choice) > request->max_counters) {
		choice.max_routes /= 2;
		choose(&choice);
	}
	wm_arena_reset(&scratch);
	return choice.cuts;
}

struct wm_cuts wm_regions_cut(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_regions_request *request)
{
	struct wm_arena scratch = {0};
	struct wm_depth_first search = wm_depth_first_search(&scratch, function);
	struct wm_cuts cuts =
		wm_regions_cut_along(arena, function, wm_depth_first_flow(&search), request);
	wm_arena_reset(&scratch);
	return cuts;
}

/* What is wrong with the cuts, or NULL. */
static const char *fault_of_cuts(const struct wm_cfg *function, const bool *back_edge,
	const bool *cut, const bool *soft, bool any_soft)
{
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (!cut[e] && (back_edge[e] || wm_cfg_touches_exit(function, e)))
			return "its paths are not cut in every loop";
		if (cut[e] && soft[e])
			return "an edge is both cut and soft";
	}
	for (uint32_t v = 0; any_soft && v < function->vertex_count; v++) {
		uint32_t hard = 0, lenient = 0, first = function->in_start[v];
		for (uint32_t k = first; k < function->in_start[v + 1]; k++) {
			hard += cut[function->in_edge[k]];
			lenient += soft[function->in_edge[k]];
		}
		if (lenient && hard + lenient != function->in_start[v + 1] - first)
			return "only some of the edges into a block are soft";
	}
	return NULL;
}

/* Gives the vertex its routes, by edge, and returns their number, or more than MAX_HISTORIES. */
static uint64_t number_routes(struct wm_regions *regions, uint32_t v)
{
	const struct wm_cfg *function = regions->function;
	uint64_t count = regions->is_start[v];
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (regions->cut[e] || regions->soft[e])
			continue;
		regions->offset[e] = count;
		count += regions->route_count[function->source[e]];
		if (count > MAX_HISTORIES)
			break;
	}
	return count;
}

/* How many histories the vertex has, or more than MAX_HISTORIES. */
static uint64_t history_count(const struct wm_regions *regions, uint32_t v)
{
	uint64_t routes = regions->route_count[v], prehistories = regions->prehistory_count[v] + 1;
	return routes && prehistories > MAX_HISTORIES / routes ? MAX_HISTORIES + 1
							       : routes * prehistories;
}

/* The same for prehistories. */
static uint64_t number_prehistories(struct wm_regions *regions, uint32_t v)
{
	const struct wm_cfg *function = regions->function;
	uint64_t sum = 0, largest = 0;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k], u = function->source[e];
		if (regions->soft[e]) {
			regions->offset[e] = sum;
			sum += history_count(regions, u);
		} else if (!regions->cut[e] && regions->prehistory_count[u] > largest) {
			largest = regions->prehistory_count[u];
		}
		if (sum > MAX_HISTORIES)
			break;
	}
	return sum > largest ? sum : largest;
}

/* Whether every route to the vertex leads along a soft edge, its predecessors known. */
static bool always_has_prehistory(const struct wm_regions *regions, uint32_t v)
{
	const struct wm_cfg *function = regions->function;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		bool before = regions->always_has_prehistory[function->source[e]];
		if (regions->cut[e] || (!regions->soft[e] && !before))
			return false;
	}
	return regions->prehistory_count[v];
}

static bool number_vertex(struct wm_regions *regions, uint32_t v)
{
	regions->route_count[v] = number_routes(regions, v);
	if (!wm_regions_have_prehistories(regions))
		return regions->route_count[v] <= MAX_HISTORIES;
	regions->prehistory_count[v] = number_prehistories(regions, v);
	regions->always_has_prehistory[v] = always_has_prehistory(regions, v);
	uint64_t routes = (uint64_t)1 << regions->prehistory_shift;
	return regions->route_count[v] <= MAX_HISTORIES &&
	       history_count(regions, v) <= MAX_HISTORIES &&
	       (!regions->prehistory_count[v] ||
		       (regions->route_count[v] <= routes &&
			       regions->prehistory_count[v] < MAX_HISTORIES / routes));
}

int wm_regions_number_along(struct wm_arena *arena, const struct wm_cfg *function,
	struct wm_flow_order order, const bool *cut, const bool *soft, struct wm_regions *regions,
	struct wm_error *error)
{
	uint32_t vertices = function->vertex_count, edges = function->edge_count + 1;
	bool any_soft = memchr(soft, true, edges);
	const char *fault = fault_of_cuts(function, order.back_edge, cut, soft, any_soft);
	if (fault)
		return wm_error_set(error, WM_ERROR_INPUT, "%s", fault);
	*regions = (struct wm_regions){.function = function,
		.cut = cut,
		.soft = soft,
		.order = wm_arena_alloc_unset(arena, vertices, sizeof *regions->order),
		.is_start = wm_arena_alloc(arena, vertices, sizeof *regions->is_start),
		.route_count = wm_arena_alloc(arena, vertices, sizeof *regions->route_count),
		.prehistory_count =
			wm_arena_alloc(arena, vertices, sizeof *regions->prehistory_count),
		.always_has_prehistory = wm_arena_alloc(arena, vertices, sizeof(bool)),
		.offset = wm_arena_alloc(arena, edges, sizeof *regions->offset),
		.prehistory_shift = any_soft ? WM_PREHISTORY_SHIFT : NO_PREHISTORY_SHIFT};
	for (uint32_t e = 0; e < edges; e++)
		regions->is_start[function->target[e]] |= cut[e] || soft[e];
	for (uint32_t i = 0; i < vertices; i++) {
		uint32_t v = regions->order[i] = order.postorder[vertices - 1 - i];
		if (!number_vertex(regions, v))
			return wm_error_set(
				error, WM_ERROR_INPUT, "more than 2^62 routes lead to block %u", v);
	}
	return 0;
}

int wm_regions_number(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, struct wm_regions *regions, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	struct wm_depth_first search = wm_depth_first_search(&scratch, function);
	int status = wm_regions_number_along(
		arena, function, wm_depth_first_flow(&search), cut, soft, regions, error);
	wm_arena_reset(&scratch);
	return status;
}

bool wm_regions_has(const struct wm_regions *regions, uint32_t vertex, uint64_t history)
{
	return wm_regions_route(regions, history) < regions->route_count[vertex] &&
	       wm_regions_prehistory(regions, history) <= regions->prehistory_count[vertex];
}

uint64_t wm_regions_after(const struct wm_regions *regions, uint32_t edge, uint64_t history)
{
	uint64_t route = wm_regions_route(regions, history);
	uint64_t prehistory = wm_regions_prehistory(regions, history);
	uint64_t routes = regions->route_count[regions->function->source[edge]];
	if (!regions->soft[edge])
		return history + regions->offset[edge];
	return (1 + regions->offset[edge] + route + routes * prehistory)
	       << regions->prehistory_shift;
}

bool wm_regions_before(
	const struct wm_regions *regions, uint32_t edge, uint64_t history, uint64_t *before)
{
	uint32_t u = regions->function->source[edge];
	uint64_t route = wm_regions_route(regions, history);
	uint64_t prehistory = wm_regions_prehistory(regions, history);
	uint64_t routes = regions->route_count[u];
	if (!regions->soft[edge]) {
		*before = history - regions->offset[edge];
		return route - regions->offset[edge] < routes;
	}
	uint64_t number = prehistory - 1 - regions->offset[edge];
	if (!prehistory || route || number >= history_count(regions, u))
		return false;
	*before = number % routes + ((number / routes) << regions->prehistory_shift);
	return true;
}

uint32_t wm_regions_route_edges(const struct wm_regions *regions, uint32_t vertex, uint64_t history,
	uint32_t *edges, uint32_t *start)
{
	const struct wm_cfg *function = regions->function;
	uint32_t count = 0;
	while (!regions->is_start[vertex] || history) {
		uint64_t before = 0;
		uint32_t k = function->in_start[vertex];
		while (regions->cut[function->in_edge[k]] ||
			!wm_regions_before(regions, function->in_edge[k], history, &before))
			k++;
		edges[count++] = function->in_edge[k];
		vertex = function->source[function->in_edge[k]];
		history = before;
	}
	*start = vertex;
	return count;
}
