/* Plans for paths: see the header. */
#include "core/paths/path_plan.h"

#include <string.h>

#include "core/base/order.h"
#include "core/cost/prices.h"

static const uint64_t MAX_COUNTERS = (uint64_t)1 << 31;

uint32_t wm_path_plan_probe_edge(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	return wm_probe_is_on_edge(probe) ? probe->index
					  : wm_split_vertex_edge(plan->function, probe->index);
}

uint32_t wm_path_plan_probe_vertex(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	return plan->regions.function->source[wm_path_plan_probe_edge(plan, probe)];
}

static bool is_by_history(const struct wm_probe *probe)
{
	return probe->kind == WM_PROBE_EDGE_BY_HISTORY || probe->kind == WM_PROBE_VERTEX_BY_HISTORY;
}

uint64_t wm_path_plan_probe_histories(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	if (!is_by_history(probe))
		return 1;
	return plan->regions.route_count[wm_path_plan_probe_vertex(plan, probe)];
}

bool wm_path_plan_probe_has_prehistories(
	const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	return is_by_history(probe) &&
	       plan->regions.prehistory_count[wm_path_plan_probe_vertex(plan, probe)];
}

bool wm_path_plan_probe_has_array(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	if (is_by_history(probe) &&
		plan->regions.always_has_prehistory[wm_path_plan_probe_vertex(plan, probe)])
		return false;
	return wm_path_plan_probe_histories(plan, probe) <= plan->array_limit;
}

static int place_counters(struct wm_arena *arena, struct wm_path_plan *plan, struct wm_error *error)
{
	plan->first_counter =
		wm_arena_alloc_unset(arena, plan->probe_count, sizeof *plan->first_counter);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		plan->first_counter[k] = plan->counter_count;
		plan->counter_count += wm_path_plan_probe_has_array(plan, probe)
					       ? wm_path_plan_probe_histories(plan, probe)
					       : 1;
		if (plan->counter_count > MAX_COUNTERS)
			return wm_error_set(
				error, WM_ERROR_INPUT, "its paths need more than 2^31 counters");
	}
	return 0;
}

/* Edges of the function keep their numbers in the split graph, but for the closing edge. */
static int number_regions(struct wm_arena *arena, struct wm_path_plan *plan,
	struct wm_flow_order order, struct wm_error *error)
{
	const struct wm_cfg *split = wm_split_graph(arena, plan->function);
	bool *cut = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof *cut);
	bool *soft = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof *soft);
	memcpy(cut, plan->cut, plan->function->edge_count * sizeof *cut);
	memcpy(soft, plan->soft, plan->function->edge_count * sizeof *soft);
	cut[wm_cfg_closing_edge(split)] = true;
	struct wm_arena scratch = {0};
	order = wm_split_order(&scratch, plan->function, order);
	int status = wm_regions_number_along(arena, split, order, cut, soft, &plan->regions, error);
	wm_arena_reset(&scratch);
	return status;
}

static int cut_into_regions(struct wm_arena *arena, struct wm_path_plan *plan,
	const struct wm_regions_request *request, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	struct wm_depth_first search = wm_depth_first_search(&scratch, plan->function);
	struct wm_flow_order order = wm_depth_first_flow(&search);
	struct wm_cuts cuts = wm_regions_cut_along(arena, plan->function, order, request);
	plan->cut = cuts.cut;
	plan->soft = cuts.soft;
	int status = number_regions(arena, plan, order, error);
	wm_arena_reset(&scratch);
	return status;
}

/* The part of the vertex's executions that come with a prehistory. Its predecessors are known. */
static double share_at(const struct wm_path_plan *plan, const double *share,
	const double *edge_weight, const double *vertex_weight, uint32_t v)
{
	const struct wm_regions *regions = &plan->regions;
	const struct wm_cfg *split = regions->function;
	uint32_t edges = plan->function->edge_count;
	double all = 0, with_prehistory = 0;
	for (uint32_t k = split->in_start[v]; k < split->in_start[v + 1]; k++) {
		uint32_t e = split->in_edge[k];
		double weight = e < edges ? edge_weight[e] : vertex_weight[e - edges];
		all += weight;
		if (!regions->cut[e])
			with_prehistory +=
				weight * (regions->soft[e] ? 1 : share[split->source[e]]);
	}
	return all > 0 ? with_prehistory / all : 0;
}

double *wm_path_plan_prehistory_shares(struct wm_arena *arena, const struct wm_path_plan *plan,
	const double *edge_weight, const double *vertex_weight)
{
	const struct wm_regions *regions = &plan->regions;
	uint32_t vertices = regions->function->vertex_count;
	double *share = wm_arena_alloc(arena, vertices, sizeof *share);
	for (uint32_t i = 0; i < vertices; i++) {
		uint32_t v = regions->order[i];
		if (regions->always_has_prehistory[v])
			share[v] = 1;
		else if (regions->prehistory_count[v])
			share[v] = share_at(plan, share, edge_weight, vertex_weight, v);
	}
	return share;
}

static double history_cost(const struct wm_path_plan *plan, uint32_t vertex, double with_prehistory,
	double plain_cost, double cost)
{
	const struct wm_regions *regions = &plan->regions;
	bool has_prehistories = regions->prehistory_count[vertex];
	if (regions->route_count[vertex] <= 1 && !has_prehistories)
		return plain_cost;
	bool in_table = regions->route_count[vertex] > plan->array_limit;
	return cost *
	       wm_cost_of_history(has_prehistories && !regions->always_has_prehistory[vertex],
		       in_table ? 1 : with_prehistory);
}

static double sum_costs(const struct wm_histories *histories, const double *cost,
	const double *plain_cost, uint32_t edge_count)
{
	double sum = 0;
	for (uint32_t e = 0; e < edge_count; e++) {
		if (histories->probe[e] == WM_HISTORY_COUNTED)
			sum += cost[e];
		else if (histories->probe[e] == WM_HISTORY_PLAIN)
			sum += plain_cost[e];
	}
	return sum;
}

/* With tables the forest may lose: counting in several places on a path can cost more than one
 * count at the path's end. */
static int choose_cheapest(struct wm_arena *arena, struct wm_path_plan *plan,
	struct wm_histories_request request, const double *cost, struct wm_error *error)
{
	uint32_t edges = plan->regions.function->edge_count;
	int status = wm_histories_plan(arena, &plan->regions, &request, &plan->histories, error);
	if (status || !wm_regions_have_prehistories(&plan->regions))
		return status;
	double least = sum_costs(&plan->histories, cost, request.plain_cost, edges);
	while (request.defaults < WM_DEFAULTS_NOWHERE) {
		struct wm_histories other;
		request.defaults++;
		status = wm_histories_plan(arena, &plan->regions, &request, &other, error);
		if (status)
			return status;
		double sum = sum_costs(&other, cost, request.plain_cost, edges);
		if (sum < least) {
			least = sum;
			plan->histories = other;
		}
	}
	return 0;
}

static int choose_probes(struct wm_arena *arena, struct wm_path_plan *plan,
	const struct wm_path_request *request, struct wm_error *error)
{
	const struct wm_cfg *split = plan->regions.function;
	uint32_t edges = plan->function->edge_count;
	struct wm_arena scratch = {0};
	double *cost = wm_arena_alloc_unset(&scratch, split->edge_count, sizeof *cost);
	double *plain_cost = wm_arena_alloc_unset(&scratch, split->edge_count, sizeof *plain_cost);
	bool *uncountable = wm_arena_alloc_unset(&scratch, split->edge_count, sizeof *uncountable);
	const double *share = wm_path_plan_prehistory_shares(
		&scratch, plan, request->edge_weight, request->vertex_weight);
	for (uint32_t e = 0; e < split->edge_count; e++) {
		bool in_block = e >= edges;
		uint32_t source = split->source[e];
		double in_place =
			in_block ? request->vertex_cost[e - edges] : request->edge_cost[e];
		plain_cost[e] =
			in_block ? request->plain_vertex_cost[e - edges] : request->plain_cost[e];
		uncountable[e] =
			in_block ? request->uncountable_vertex[e - edges] : request->uncountable[e];
		cost[e] = history_cost(plan, source, share[source], plain_cost[e], in_place);
	}
	struct wm_histories_request histories = {
		wm_order_by_weight(&scratch, cost, split->edge_count, false), plain_cost,
		uncountable, request->at_ends ? WM_DEFAULTS_NOWHERE : WM_DEFAULTS_ANYWHERE};
	int status = choose_cheapest(arena, plan, histories, cost, error);
	wm_arena_reset(&scratch);
	return status;
}

static struct wm_probe probe_on(const struct wm_path_plan *plan, uint32_t edge)
{
	bool by_history = plan->histories.probe[edge] == WM_HISTORY_COUNTED;
	uint32_t edges = plan->function->edge_count;
	if (edge < edges)
		return (struct wm_probe){
			by_history ? WM_PROBE_EDGE_BY_HISTORY : WM_PROBE_EDGE, edge};
	return (struct wm_probe){
		by_history ? WM_PROBE_VERTEX_BY_HISTORY : WM_PROBE_VERTEX, edge - edges};
}

/* The counters of a cache line. */
enum { FEW = 8 };

/* Probes, and how often each runs. */
struct probe_list {
	struct wm_probe *probe;
	double *weight;
	uint32_t count;
};

static struct probe_list start_list(struct wm_arena *scratch, uint32_t max)
{
	return (struct probe_list){
		.probe = wm_arena_alloc_unset(scratch, max, sizeof(struct wm_probe)),
		.weight = wm_arena_alloc_unset(scratch, max, sizeof(double))};
}

/* Adds each probe to the first list if it has few counters, to the second if it has many. */
static void find_probes(const struct wm_path_plan *plan, const struct wm_path_request *request,
	struct probe_list *lists)
{
	uint32_t edges = plan->function->edge_count;
	for (uint32_t e = 0; e < plan->regions.function->edge_count; e++) {
		if (!plan->histories.probe[e])
			continue;
		struct wm_probe probe = probe_on(plan, e);
		struct probe_list *list = &lists[wm_path_plan_probe_histories(plan, &probe) > FEW];
		list->weight[list->count] =
			e < edges ? request->edge_weight[e] : request->vertex_weight[e - edges];
		list->probe[list->count++] = probe;
	}
}

/* Probes with few counters first, and of these those that run often: they fill few cache lines and
 * pages. */
static void list_probes(
	struct wm_arena *arena, struct wm_path_plan *plan, const struct wm_path_request *request)
{
	struct wm_arena scratch = {0};
	uint32_t max = plan->regions.function->edge_count;
	struct probe_list lists[] = {start_list(&scratch, max), start_list(&scratch, max)};
	find_probes(plan, request, lists);
	plan->probes = wm_arena_alloc_unset(
		arena, (size_t)lists[0].count + lists[1].count, sizeof *plan->probes);
	for (int many = 0; many <= 1; many++) {
		const uint32_t *order =
			wm_order_by_weight(&scratch, lists[many].weight, lists[many].count, false);
		for (uint32_t i = 0; i < lists[many].count; i++)
			plan->probes[plan->probe_count++] = lists[many].probe[order[i]];
	}
	wm_arena_reset(&scratch);
}

int wm_path_plan_make(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_path_request *request, struct wm_path_plan *plan, struct wm_error *error)
{
	*plan = (struct wm_path_plan){.function = function, .array_limit = request->array_limit};
	int status = cut_into_regions(arena, plan, &request->cuts, error);
	if (!status)
		status = choose_probes(arena, plan, request, error);
	if (status)
		return status;
	list_probes(arena, plan, request);
	wm_path_plan_carry(arena, plan, request);
	return place_counters(arena, plan, error);
}

/* Regions and probes of a plan; *probe is by edge of the split graph. */
static int take_probes(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, uint8_t **probe, struct wm_error *error)
{
	*plan = (struct wm_path_plan){.function = function,
		.cut = cut,
		.soft = soft,
		.probe_count = probe_count,
		.probes = wm_arena_alloc(arena, probe_count, sizeof *plan->probes),
		.array_limit = array_limit};
	if (probe_count)
		memcpy(plan->probes, probes, probe_count * sizeof *probes);
	struct wm_depth_first search = wm_depth_first_search(arena, function);
	int status = number_regions(arena, plan, wm_depth_first_flow(&search), error);
	if (status)
		return status;
	const struct wm_cfg *split = plan->regions.function;
	*probe = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof **probe);
	for (uint32_t k = 0; k < probe_count; k++)
		(*probe)[wm_path_plan_probe_edge(plan, &probes[k])] =
			is_by_history(&probes[k]) ? WM_HISTORY_COUNTED : WM_HISTORY_PLAIN;
	return 0;
}

int wm_path_plan_restore(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, struct wm_error *error)
{
	uint8_t *probe;
	int status = take_probes(
		arena, function, cut, soft, probes, probe_count, array_limit, plan, &probe, error);
	if (!status)
		status =
			wm_histories_restore(arena, &plan->regions, probe, &plan->histories, error);
	return status ? status : place_counters(arena, plan, error);
}

int wm_path_plan_of_probes(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, struct wm_error *error)
{
	const bool *soft = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *soft);
	uint8_t *probe;
	int status = take_probes(
		arena, function, cut, soft, probes, probe_count, array_limit, plan, &probe, error);
	if (status)
		return status;
	plan->histories = (struct wm_histories){.regions = &plan->regions, .probe = probe};
	return place_counters(arena, plan, error);
}
