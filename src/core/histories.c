/* History counters: choice and derivation.
 *
 * Derivation in three steps. Outside of R every edge out of a vertex is counted or stays outside,
 * so counts per history add up from below. Totals of the default edges follow by the flow law of
 * the whole function, along the chains that defaults make; a plain counter opens each cycle of
 * them. Then, from the starts down, what arrives in R with a history and does not leave by a
 * counted edge left by the default one. Exact by induction over the regions, which are acyclic.
 */
#include "core/histories.h"

#include "core/depth_first.h"
#include "core/disjoint_sets.h"
#include "core/spanning_tree.h"

/* The vertex behind the last: where all cut edges lead. */
static uint32_t sink_of(const struct wm_cfg *function)
{
	return function->vertex_count;
}

static uint32_t region_target(const struct wm_histories *histories, uint32_t edge)
{
	return histories->cut[edge] ? sink_of(histories->function)
				    : histories->function->target[edge];
}

static void choose_cuts(
	struct wm_arena *arena, struct wm_histories *histories, const bool *also_cut)
{
	const struct wm_cfg *function = histories->function;
	struct wm_depth_first search = wm_depth_first_search(arena, function);
	uint32_t vertices = function->vertex_count;
	histories->order = wm_arena_alloc(arena, vertices, sizeof *histories->order);
	for (uint32_t i = 0; i < vertices; i++)
		histories->order[i] = search.postorder[vertices - 1 - i];
	histories->cut =
		wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *histories->cut);
	histories->is_start = wm_arena_alloc(arena, vertices, sizeof *histories->is_start);
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		histories->cut[e] = e == wm_cfg_closing_edge(function) ||
				    function->source[e] == function->exit || search.back_edge[e] ||
				    (also_cut && also_cut[e]);
		if (histories->cut[e])
			histories->is_start[function->target[e]] = true;
	}
}

/* A start's own history is 0; the others follow in the order of the edges that bring them. */
static int number_prefixes(struct wm_arena *arena, struct wm_histories *histories, uint64_t most)
{
	const struct wm_cfg *function = histories->function;
	histories->prefix_count =
		wm_arena_alloc(arena, function->vertex_count, sizeof *histories->prefix_count);
	histories->offset =
		wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *histories->offset);
	for (uint32_t i = 0; i < function->vertex_count; i++) {
		uint32_t v = histories->order[i];
		uint64_t count = histories->is_start[v];
		for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
			uint32_t e = function->in_edge[k];
			if (histories->cut[e])
				continue;
			histories->offset[e] = count;
			count += histories->prefix_count[function->source[e]];
			if (count > most)
				return -1;
		}
		histories->prefix_count[v] = count;
	}
	return 0;
}

static bool *span(struct wm_arena *arena, const struct wm_histories *histories, const double *cost)
{
	const struct wm_cfg *function = histories->function;
	uint32_t edges = function->edge_count + 1;
	bool *in_forest = wm_arena_alloc(arena, edges, sizeof *in_forest);
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(arena, function->vertex_count + 1);
	const uint32_t *order = wm_order_by_weight(arena, cost, edges, false);
	for (uint32_t i = 0; i < edges; i++)
		in_forest[order[i]] = wm_disjoint_sets_join(
			&sets, function->source[order[i]], region_target(histories, order[i]));
	return in_forest;
}

/* Searches R backwards from the sink. Two forest edges of one vertex into R would close a cycle
 * through the sink, so the edge by which it is found is its only one. */
static void find_defaults(
	struct wm_arena *arena, struct wm_histories *histories, const bool *in_forest)
{
	const struct wm_cfg *function = histories->function;
	uint32_t *found = wm_arena_alloc(arena, function->vertex_count, sizeof *found);
	uint32_t count = 0;
	histories->default_edge = wm_none_array(arena, function->vertex_count);
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (in_forest[e] && histories->cut[e]) {
			histories->default_edge[function->source[e]] = e;
			found[count++] = function->source[e];
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = found[i];
		for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
			uint32_t e = function->in_edge[k];
			uint32_t source = function->source[e];
			if (!in_forest[e] || histories->cut[e])
				continue;
			histories->default_edge[source] = e;
			found[count++] = source;
		}
	}
}

static bool is_default(const struct wm_histories *histories, uint32_t edge)
{
	return histories->default_edge[histories->function->source[edge]] == edge;
}

static bool leads_into_r(const struct wm_histories *histories, uint32_t edge)
{
	return histories->cut[edge] ||
	       histories->default_edge[histories->function->target[edge]] != WM_NONE;
}

/* The cheapest default edge of the cycle through the vertex. */
static uint32_t cheapest_on_cycle(
	const struct wm_histories *histories, const double *cost, uint32_t vertex)
{
	uint32_t cheapest = histories->default_edge[vertex];
	uint32_t v = histories->function->target[cheapest];
	for (; v != vertex; v = histories->function->target[histories->default_edge[v]])
		if (cost[histories->default_edge[v]] < cost[cheapest])
			cheapest = histories->default_edge[v];
	return cheapest;
}

/* Follows defaults from every vertex; who meets his own trail has found a cycle. */
static void open_cycles(struct wm_arena *arena, struct wm_histories *histories, const double *cost)
{
	const struct wm_cfg *function = histories->function;
	uint32_t *trail = wm_arena_alloc(arena, function->vertex_count, sizeof *trail);
	for (uint32_t start = 0; start < function->vertex_count; start++) {
		uint32_t v = start;
		while (histories->default_edge[v] != WM_NONE && !trail[v]) {
			trail[v] = start + 1;
			v = function->target[histories->default_edge[v]];
		}
		if (histories->default_edge[v] != WM_NONE && trail[v] == start + 1)
			histories->probe[cheapest_on_cycle(histories, cost, v)] = WM_HISTORY_PLAIN;
	}
}

static void place_counters(struct wm_arena *arena, struct wm_histories *histories)
{
	const struct wm_cfg *function = histories->function;
	histories->first_counter = wm_arena_alloc(
		arena, (size_t)function->edge_count + 1, sizeof *histories->first_counter);
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (leads_into_r(histories, e) && !is_default(histories, e))
			histories->probe[e] = WM_HISTORY_COUNTED;
		histories->first_counter[e] = histories->counter_count;
		if (histories->probe[e] == WM_HISTORY_COUNTED)
			histories->counter_count += histories->prefix_count[function->source[e]];
		else
			histories->counter_count += histories->probe[e] == WM_HISTORY_PLAIN;
	}
}

int wm_histories_plan(struct wm_arena *arena, const struct wm_cfg *function, const bool *also_cut,
	const double *cost, uint64_t most_prefixes, struct wm_histories *histories,
	struct wm_error *error)
{
	*histories = (struct wm_histories){.function = function};
	choose_cuts(arena, histories, also_cut);
	if (number_prefixes(arena, histories, most_prefixes))
		return wm_error_set(error, WM_ERROR_INPUT,
			"a block can be reached in more than %llu ways",
			(unsigned long long)most_prefixes);
	histories->probe =
		wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *histories->probe);
	find_defaults(arena, histories, span(arena, histories, cost));
	open_cycles(arena, histories, cost);
	place_counters(arena, histories);
	return 0;
}

struct derivation {
	const struct wm_histories *histories;
	const uint64_t *counter;
	uint64_t **arrived; /* by vertex and history */
	uint64_t **taken;   /* by edge and history at its source */
	uint64_t *total;    /* by edge */
	bool *known;	    /* by edge: its total */
};

static uint64_t **allocate_tables(struct wm_arena *arena, const struct wm_histories *histories,
	uint32_t count, const uint32_t *vertex)
{
	uint64_t **tables = wm_arena_alloc(arena, count, sizeof *tables);
	for (uint32_t i = 0; i < count; i++)
		tables[i] = wm_arena_alloc(
			arena, histories->prefix_count[vertex ? vertex[i] : i], sizeof **tables);
	return tables;
}

/* An edge that is no default: counted, or, outside of R, what arrived by it. */
static uint64_t taken_of(const struct derivation *derivation, uint32_t e, uint64_t history)
{
	const struct wm_histories *histories = derivation->histories;
	if (histories->probe[e] == WM_HISTORY_COUNTED)
		return derivation->counter[histories->first_counter[e] + history];
	return derivation->arrived[histories->function->target[e]][history + histories->offset[e]];
}

static uint64_t leaving_but_by_default(
	const struct derivation *derivation, uint32_t v, uint64_t history)
{
	const struct wm_cfg *function = derivation->histories->function;
	uint64_t sum = 0;
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++)
		if (!is_default(derivation->histories, function->out_edge[k]))
			sum += derivation->taken[function->out_edge[k]][history];
	return sum;
}

static void take_edges_of(struct derivation *derivation, uint32_t v)
{
	const struct wm_cfg *function = derivation->histories->function;
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++) {
		uint32_t e = function->out_edge[k];
		if (is_default(derivation->histories, e))
			continue;
		for (uint64_t h = 0; h < derivation->histories->prefix_count[v]; h++) {
			derivation->taken[e][h] = taken_of(derivation, e, h);
			derivation->total[e] += derivation->taken[e][h];
		}
		derivation->known[e] = true;
	}
}

/* From the ends of the regions up: all edges but defaults, and what arrives outside of R. */
static void add_up(struct derivation *derivation)
{
	const struct wm_histories *histories = derivation->histories;
	for (uint32_t i = histories->function->vertex_count; i-- > 0;) {
		uint32_t v = histories->order[i];
		take_edges_of(derivation, v);
		if (histories->default_edge[v] != WM_NONE)
			continue;
		for (uint64_t h = 0; h < histories->prefix_count[v]; h++)
			derivation->arrived[v][h] = leaving_but_by_default(derivation, v, h);
	}
}

/* The total of the vertex's default edge, if all that arrives is known. */
static bool solve_default(struct derivation *derivation, uint32_t v)
{
	const struct wm_cfg *function = derivation->histories->function;
	uint32_t own = derivation->histories->default_edge[v];
	uint64_t total = 0;
	if (own == WM_NONE || derivation->known[own])
		return false;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		if (!derivation->known[function->in_edge[k]])
			return false;
		total += derivation->total[function->in_edge[k]];
	}
	for (uint32_t k = function->out_start[v]; k < function->out_start[v + 1]; k++)
		if (function->out_edge[k] != own)
			total -= derivation->total[function->out_edge[k]];
	derivation->total[own] = total;
	derivation->known[own] = true;
	return true;
}

/* A default that becomes known may make the next on its chain known, and only that. */
static void solve_totals(struct derivation *derivation)
{
	const struct wm_histories *histories = derivation->histories;
	const struct wm_cfg *function = histories->function;
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (histories->probe[e] != WM_HISTORY_PLAIN)
			continue;
		derivation->total[e] = derivation->counter[histories->first_counter[e]];
		derivation->known[e] = true;
	}
	for (uint32_t start = 0; start < function->vertex_count; start++)
		for (uint32_t v = start; solve_default(derivation, v);)
			v = function->target[histories->default_edge[v]];
}

/* What arrives in a vertex of R, edge by edge; a start's own history comes by the cut edges. */
static void arrive(struct derivation *derivation, uint32_t v)
{
	const struct wm_histories *histories = derivation->histories;
	const struct wm_cfg *function = histories->function;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (histories->cut[e]) {
			derivation->arrived[v][0] += derivation->total[e];
			continue;
		}
		uint64_t *into = derivation->arrived[v] + histories->offset[e];
		for (uint64_t h = 0; h < histories->prefix_count[function->source[e]]; h++)
			into[h] = derivation->taken[e][h];
	}
}

static void go_down(struct derivation *derivation)
{
	const struct wm_histories *histories = derivation->histories;
	for (uint32_t i = 0; i < histories->function->vertex_count; i++) {
		uint32_t v = histories->order[i];
		uint32_t own = histories->default_edge[v];
		if (own == WM_NONE)
			continue;
		arrive(derivation, v);
		for (uint64_t h = 0; h < histories->prefix_count[v]; h++)
			derivation->taken[own][h] = derivation->arrived[v][h] -
						    leaving_but_by_default(derivation, v, h);
	}
}

uint64_t **wm_histories_derive(
	struct wm_arena *arena, const struct wm_histories *histories, const uint64_t *counter)
{
	const struct wm_cfg *function = histories->function;
	uint32_t edges = function->edge_count + 1;
	struct derivation derivation = {
		.histories = histories,
		.counter = counter,
		.arrived = allocate_tables(arena, histories, function->vertex_count, NULL),
		.taken = allocate_tables(arena, histories, edges, function->source),
		.total = wm_arena_alloc(arena, edges, sizeof *derivation.total),
		.known = wm_arena_alloc(arena, edges, sizeof *derivation.known),
	};
	add_up(&derivation);
	solve_totals(&derivation);
	go_down(&derivation);
	for (uint32_t e = 0; e < edges; e++)
		if (!histories->cut[e])
			derivation.taken[e] = NULL;
	return derivation.taken;
}

uint32_t wm_histories_prefix(const struct wm_histories *histories, uint32_t vertex,
	uint64_t history, uint32_t *edges, uint32_t *start)
{
	const struct wm_cfg *function = histories->function;
	uint32_t count = 0;
	while (!histories->is_start[vertex] || history) {
		for (uint32_t k = function->in_start[vertex]; k < function->in_start[vertex + 1];
			k++) {
			uint32_t e = function->in_edge[k];
			uint64_t rest = history - histories->offset[e];
			if (histories->cut[e] || history < histories->offset[e] ||
				rest >= histories->prefix_count[function->source[e]])
				continue;
			edges[count++] = e;
			vertex = function->source[e];
			history = rest;
			break;
		}
	}
	*start = vertex;
	return count;
}
