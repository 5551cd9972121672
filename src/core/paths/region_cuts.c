/* The choice of cuts: those that every function needs, by its order of flow; then one pass in that
 * order, which cuts where too many ways would lead; then, if that leaves too many counters, the
 * same with a lower limit. */
#include "core/paths/regions.h"

/* While edges are chosen. */
struct choice {
	const struct wm_cfg *function;
	const struct wm_regions_request *request;
	struct wm_flow_order order;
	uint64_t max_ways;
	struct wm_cuts cuts;
	bool *starts;	    /* by vertex: ways are numbered from 0 again there */
	uint64_t *ways;	    /* by vertex */
	uint64_t *contexts; /* by vertex */
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

/* All histories at the vertex: contexts times ways. */
static uint64_t count_histories(const struct choice *choice, uint32_t v)
{
	return choice->ways[v] * (choice->contexts[v] + 1);
}

/* Ways to the vertex, those to its predecessors known; more than `most` need not be exact. */
static uint64_t count_ways(const struct choice *choice, uint32_t v, uint64_t most)
{
	const struct wm_cfg *function = choice->function;
	uint64_t count = 0;
	bool starts = false;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		if (choice->cuts.cut[e])
			starts = true;
		else
			count += choice->ways[function->source[e]];
		if (count > most)
			return count;
	}
	return count + starts;
}

/* Contexts that the vertex takes over from its predecessors, or, if it starts, makes of them; more
 * than `most` need not be exact. */
static uint64_t count_contexts(const struct choice *choice, uint32_t v, uint64_t most)
{
	const struct wm_cfg *function = choice->function;
	uint64_t sum = 0, largest = 0;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k], u = function->source[e];
		if (choice->cuts.cut[e])
			continue;
		sum += count_histories(choice, u);
		if (choice->contexts[u] > largest)
			largest = choice->contexts[u];
		if (choice->starts[v] && sum > most)
			return sum;
	}
	return choice->starts[v] ? sum : largest;
}

/* So far only those of its in-edges are cut that must be. */
static void start_at(struct choice *choice, uint32_t v)
{
	const struct wm_cfg *function = choice->function;
	uint64_t most = choice->request->most_contexts;
	bool possible = most && !(choice->request->no_context && choice->request->no_context[v]);
	uint64_t contexts = possible ? count_contexts(choice, v, most) : 0;
	bool soft = possible && contexts <= most;
	for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
		uint32_t e = function->in_edge[k];
		choice->cuts.soft[e] = soft && !choice->cuts.cut[e];
		choice->cuts.cut[e] = !choice->cuts.soft[e];
	}
	choice->ways[v] = 1;
	choice->contexts[v] = soft ? contexts : 0;
}

/* Whether ways are numbered anew at the vertex whatever their number. */
static bool starts_anyway(const struct choice *choice, uint32_t v)
{
	const struct wm_regions_request *request = choice->request;
	if (!choice->starts[v] || !request->most_contexts)
		return choice->starts[v];
	return (request->must_start && request->must_start[v]) ||
	       (request->no_context && request->no_context[v]) ||
	       count_ways(choice, v, request->most_into_loop) > request->most_into_loop;
}

static void choose_at(struct choice *choice, uint32_t v)
{
	choice->starts[v] = starts_anyway(choice, v);
	if (!choice->starts[v]) {
		choice->ways[v] = count_ways(choice, v, choice->max_ways);
		if (choice->request->most_contexts)
			choice->contexts[v] = count_contexts(choice, v, UINT64_MAX);
		choice->starts[v] = choice->ways[v] > choice->max_ways;
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

/* Of the edges that leave a vertex all but one are counted for each way to the vertex. */
static uint64_t count_counters(const struct choice *choice)
{
	const struct wm_cfg *function = choice->function;
	uint64_t count = 0;
	for (uint32_t v = 0; v < function->vertex_count; v++) {
		uint32_t edges = function->out_start[v + 1] - function->out_start[v];
		if (v != function->exit && edges > 1)
			count += (edges - 1) * choice->ways[v];
	}
	return count;
}

/* Fewer ways than that are told apart whatever it takes. */
enum { MIN_WAYS = 8 };

struct wm_cuts wm_regions_cut_along(struct wm_arena *arena, const struct wm_cfg *function,
	struct wm_flow_order order, const struct wm_regions_request *request)
{
	uint32_t vertices = function->vertex_count;
	size_t edges = (size_t)function->edge_count + 1;
	struct wm_arena scratch = {0};
	struct choice choice = {.function = function,
		.request = request,
		.order = order,
		.max_ways = request->most_prefixes,
		.cuts = {wm_arena_alloc(arena, edges, sizeof(bool)),
			wm_arena_alloc(arena, edges, sizeof(bool))},
		.starts = wm_arena_alloc(&scratch, vertices, sizeof(bool)),
		.ways = wm_arena_alloc(&scratch, vertices, sizeof(uint64_t)),
		.contexts = wm_arena_alloc(&scratch, vertices, sizeof(uint64_t))};
	choose(&choice);
	while (request->max_counters && choice.max_ways > MIN_WAYS &&
		count_counters(&choice) > request->max_counters) {
		choice.max_ways /= 2;
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
