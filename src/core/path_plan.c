/* Plans for paths: see the header. */
#include "core/path_plan.h"

#include <string.h>

#include "core/cost.h"
#include "core/disjoint_sets.h"
#include "core/order.h"
#include "core/potentials.h"

static const uint64_t MOST_COUNTERS = (uint64_t)1 << 31;

uint32_t wm_path_plan_probe_edge(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	return wm_probe_is_on_edge(probe) ? probe->index
					  : wm_split_vertex_edge(plan->function, probe->index);
}

static bool is_by_history(const struct wm_probe *probe)
{
	return probe->kind == WM_PROBE_EDGE_BY_HISTORY || probe->kind == WM_PROBE_VERTEX_BY_HISTORY;
}

uint64_t wm_path_plan_probe_histories(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	if (!is_by_history(probe))
		return 1;
	uint32_t edge = wm_path_plan_probe_edge(plan, probe);
	return plan->regions.prefix_count[plan->regions.function->source[edge]];
}

bool wm_path_plan_probe_has_contexts(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	uint32_t edge = wm_path_plan_probe_edge(plan, probe);
	return is_by_history(probe) &&
	       plan->regions.context_count[plan->regions.function->source[edge]];
}

static int place_counters(struct wm_arena *arena, struct wm_path_plan *plan, struct wm_error *error)
{
	plan->first_counter = wm_arena_alloc(arena, plan->probe_count, sizeof *plan->first_counter);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		uint64_t histories = wm_path_plan_probe_histories(plan, &plan->probes[k]);
		plan->first_counter[k] = plan->counter_count;
		plan->counter_count += histories > plan->array_limit ? 1 : histories;
		if (plan->counter_count > MOST_COUNTERS)
			return wm_error_set(
				error, WM_ERROR_INPUT, "its paths need more than 2^31 counters");
	}
	return 0;
}

/* Edges of the function keep their numbers in the split graph, but for the closing edge. */
static int number_regions(struct wm_arena *arena, struct wm_path_plan *plan, struct wm_error *error)
{
	const struct wm_cfg *split = wm_split_graph(arena, plan->function);
	bool *cut = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof *cut);
	bool *soft = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof *soft);
	memcpy(cut, plan->cut, plan->function->edge_count * sizeof *cut);
	memcpy(soft, plan->soft, plan->function->edge_count * sizeof *soft);
	cut[wm_cfg_closing_edge(split)] = true;
	return wm_regions_number(arena, split, cut, soft, &plan->regions, error);
}

static double history_cost(
	const struct wm_path_plan *plan, uint32_t vertex, double plain_cost, double cost)
{
	uint64_t histories = plan->regions.prefix_count[vertex];
	bool in_context = plan->regions.context_count[vertex];
	if (histories <= 1 && !in_context)
		return plain_cost;
	return cost * wm_cost_of_history(in_context, histories > plan->array_limit);
}

static int choose_probes(struct wm_arena *arena, struct wm_path_plan *plan,
	const struct wm_path_request *request, struct wm_error *error)
{
	const struct wm_cfg *split = plan->regions.function;
	uint32_t edges = plan->function->edge_count;
	double *cost = wm_arena_alloc(arena, split->edge_count, sizeof *cost);
	double *plain_cost = wm_arena_alloc(arena, split->edge_count, sizeof *plain_cost);
	bool *uncountable = wm_arena_alloc(arena, split->edge_count, sizeof *uncountable);
	for (uint32_t e = 0; e < split->edge_count; e++) {
		bool in_block = e >= edges;
		double in_place =
			in_block ? request->vertex_cost[e - edges] : request->edge_cost[e];
		plain_cost[e] = in_block ? in_place : request->plain_cost[e];
		uncountable[e] =
			in_block ? request->uncountable_vertex[e - edges] : request->uncountable[e];
		cost[e] = history_cost(plan, split->source[e], plain_cost[e], in_place);
	}
	struct wm_histories_request histories = {cost, plain_cost, uncountable, request->at_ends};
	return wm_histories_plan(arena, &plan->regions, &histories, &plan->histories, error);
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

/* The edges of the split graph, busiest first. */
static const uint32_t *order_edges(struct wm_arena *arena, const struct wm_path_plan *plan,
	const struct wm_path_request *request)
{
	uint32_t edges = plan->function->edge_count, count = plan->regions.function->edge_count;
	double *weight = wm_arena_alloc(arena, count, sizeof *weight);
	for (uint32_t e = 0; e < count; e++)
		weight[e] = e < edges ? request->edge_weight[e] : request->vertex_weight[e - edges];
	return wm_order_by_weight(arena, weight, count, false);
}

/* The counters of a cache line. */
enum { FEW = 8 };

/* Probes with few counters first, and of these those that run often: they fill few cache lines and
 * pages. */
static void list_probes(struct wm_arena *arena, struct wm_path_plan *plan, const uint32_t *order)
{
	uint32_t count = plan->regions.function->edge_count;
	plan->probes = wm_arena_alloc(arena, count, sizeof *plan->probes);
	for (int many = 0; many <= 1; many++) {
		for (uint32_t i = 0; i < count; i++) {
			if (!plan->histories.probe[order[i]])
				continue;
			struct wm_probe probe = probe_on(plan, order[i]);
			if ((wm_path_plan_probe_histories(plan, &probe) > FEW) == many)
				plan->probes[plan->probe_count++] = probe;
		}
	}
}

static bool tells_apart(const struct wm_path_plan *plan, uint32_t edge)
{
	return plan->histories.probe[edge] == WM_HISTORY_COUNTED &&
	       plan->regions.prefix_count[plan->regions.function->source[edge]] > 1;
}

static bool tells_contexts_apart(const struct wm_path_plan *plan, uint32_t edge)
{
	return plan->histories.probe[edge] == WM_HISTORY_COUNTED &&
	       plan->regions.context_count[plan->regions.function->source[edge]];
}

/* By vertex of the split graph: what is asked for there or behind it. */
struct needs {
	bool *way;
	bool *context;
};

/* Behind a soft edge the way to it is a part of the context. */
static void ask_along(const struct wm_path_plan *plan, uint32_t e, struct needs *needs)
{
	uint32_t source = plan->regions.function->source[e];
	uint32_t target = plan->regions.function->target[e];
	bool goes_on = !plan->regions.cut[e];
	const bool *behind = plan->regions.soft[e] ? needs->context : needs->way;
	needs->way[source] |= tells_apart(plan, e) || (goes_on && behind[target]);
	needs->context[source] |=
		tells_contexts_apart(plan, e) || (goes_on && needs->context[target]);
}

static struct needs find_needs(struct wm_arena *arena, const struct wm_path_plan *plan)
{
	const struct wm_cfg *split = plan->regions.function;
	struct needs needs = {wm_arena_alloc(arena, split->vertex_count, sizeof(bool)),
		wm_arena_alloc(arena, split->vertex_count, sizeof(bool))};
	for (uint32_t i = split->vertex_count; i-- > 0;) {
		uint32_t v = plan->regions.order[i];
		for (uint32_t k = split->out_start[v]; k < split->out_start[v + 1]; k++)
			ask_along(plan, split->out_edge[k], &needs);
	}
	return needs;
}

/* By vertex of the function: whether a register is kept there, because it is needed and more than
 * `known` ways or contexts lead there; or because a still edge leads to such a vertex. */
static bool *find_keepers(struct wm_arena *arena, const struct wm_path_plan *plan,
	const bool *needed, const uint64_t *count, uint64_t known, const bool *still)
{
	const struct wm_cfg *function = plan->function;
	bool *keeps = wm_arena_alloc(arena, function->vertex_count, sizeof *keeps);
	for (uint32_t v = 0; v < function->vertex_count; v++)
		keeps[v] = count[wm_split_arrival(v)] > known && needed[wm_split_arrival(v)];
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (still[e] && !plan->cut[e] && !plan->soft[e] && keeps[function->target[e]])
			keeps[function->source[e]] = true;
	return keeps;
}

static void find_registers(struct wm_arena *arena, struct wm_path_plan *plan, const bool *still)
{
	struct needs needs = find_needs(arena, plan);
	plan->has_register =
		find_keepers(arena, plan, needs.way, plan->regions.prefix_count, 1, still);
	plan->has_context =
		find_keepers(arena, plan, needs.context, plan->regions.context_count, 0, still);
}

static bool carries_register(const struct wm_path_plan *plan, uint32_t edge)
{
	return !plan->cut[edge] && !plan->soft[edge] &&
	       plan->has_register[plan->function->source[edge]] &&
	       plan->has_register[plan->function->target[edge]];
}

/* A forest of edges along which the register does not change: those where it cannot, then the
 * busiest. */
static bool *choose_still_edges(struct wm_arena *arena, const struct wm_path_plan *plan,
	const bool *must_be_still, const uint32_t *order)
{
	const struct wm_cfg *function = plan->function;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(arena, function->vertex_count);
	bool *still = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *still);
	for (int forced = 1; forced >= 0; forced--) {
		for (uint32_t i = 0; i < plan->regions.function->edge_count; i++) {
			uint32_t e = order[i];
			if (e < function->edge_count && must_be_still[e] == forced &&
				carries_register(plan, e))
				still[e] = wm_disjoint_sets_join(
					&sets, function->source[e], function->target[e]);
		}
	}
	return still;
}

static void choose_potentials(struct wm_arena *arena, struct wm_path_plan *plan,
	const bool *must_be_still, const uint32_t *order)
{
	const struct wm_cfg *function = plan->function;
	uint64_t *value = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *value);
	uint64_t *increment =
		wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *increment);
	plan->potential = wm_arena_alloc(arena, function->vertex_count, sizeof *plan->potential);
	memcpy(value, plan->regions.offset, function->edge_count * sizeof *value);
	wm_potentials(arena, function, choose_still_edges(arena, plan, must_be_still, order), value,
		plan->potential, increment);
}

static void carry(struct wm_arena *arena, struct wm_path_plan *plan, const bool *must_be_still,
	const uint32_t *order)
{
	find_registers(arena, plan, must_be_still);
	choose_potentials(arena, plan, must_be_still, order);
}

void wm_path_plan_carry(
	struct wm_arena *arena, struct wm_path_plan *plan, const struct wm_path_request *request)
{
	carry(arena, plan, request->still, order_edges(arena, plan, request));
}

int wm_path_plan_make(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_path_request *request, struct wm_path_plan *plan, struct wm_error *error)
{
	struct wm_cuts cuts = wm_regions_cut(arena, function, &request->cuts);
	*plan = (struct wm_path_plan){.function = function,
		.cut = cuts.cut,
		.soft = cuts.soft,
		.array_limit = request->array_limit};
	int status = number_regions(arena, plan, error);
	if (!status)
		status = choose_probes(arena, plan, request, error);
	if (status)
		return status;
	const uint32_t *order = order_edges(arena, plan, request);
	list_probes(arena, plan, order);
	carry(arena, plan, request->still, order);
	return place_counters(arena, plan, error);
}

int wm_path_plan_restore(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, struct wm_error *error)
{
	*plan = (struct wm_path_plan){.function = function,
		.cut = cut,
		.soft = soft,
		.probe_count = probe_count,
		.probes = wm_arena_alloc(arena, probe_count, sizeof *plan->probes),
		.array_limit = array_limit};
	if (probe_count)
		memcpy(plan->probes, probes, probe_count * sizeof *probes);
	int status = number_regions(arena, plan, error);
	if (status)
		return status;
	const struct wm_cfg *split = plan->regions.function;
	uint8_t *probe = wm_arena_alloc(arena, (size_t)split->edge_count + 1, sizeof *probe);
	for (uint32_t k = 0; k < probe_count; k++)
		probe[wm_path_plan_probe_edge(plan, &probes[k])] =
			is_by_history(&probes[k]) ? WM_HISTORY_COUNTED : WM_HISTORY_PLAIN;
	status = wm_histories_restore(arena, &plan->regions, probe, &plan->histories, error);
	return status ? status : place_counters(arena, plan, error);
}
