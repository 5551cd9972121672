/* The cost model: see the header. */
#include "support/cost_model.h"

#include "core/paths/path_steps.h"

/* Out-edges but for those to EXIT: where there are others, these are calls that may not come back.
 */
static uint32_t count_exits(const struct wm_cfg *cfg, uint32_t vertex)
{
	uint32_t exits = 0;
	for (uint32_t k = cfg->out_start[vertex]; k < cfg->out_start[vertex + 1]; k++)
		exits += cfg->target[cfg->out_edge[k]] != cfg->exit;
	return exits;
}

enum wm_place wm_cost_usual_place(const struct wm_cfg *cfg, uint32_t edge)
{
	uint32_t source = cfg->source[edge], target = cfg->target[edge];
	bool critical = source != cfg->exit && target != cfg->exit &&
			count_exits(cfg, source) > 1 &&
			cfg->in_start[target + 1] - cfg->in_start[target] > 1;
	return critical ? WM_PLACE_SPLIT : WM_PLACE_IN_BLOCK;
}

/* A sum in the making. */
struct reckoning {
	const struct wm_cost_weights *weights;
	bool *occupied; /* by edge: something stands on it */
	struct wm_cost cost;
};

static struct reckoning begin(struct wm_arena *scratch, const struct wm_cost_weights *weights)
{
	return (struct reckoning){.weights = weights,
		.occupied = wm_arena_alloc(scratch, weights->cfg->edge_count, sizeof(bool))};
}

static double executions_on_edge(struct reckoning *reckoning, uint32_t edge)
{
	const struct wm_cost_weights *weights = reckoning->weights;
	reckoning->occupied[edge] = true;
	if (weights->place[edge] != WM_PLACE_COMPARED)
		return weights->edge[edge];
	double executions = weights->vertex[weights->cfg->source[edge]];
	reckoning->cost.compares += executions;
	return executions;
}

static double executions_of(struct reckoning *reckoning, const struct wm_probe *probe)
{
	return wm_probe_is_on_edge(probe) ? executions_on_edge(reckoning, probe->index)
					  : reckoning->weights->vertex[probe->index];
}

static void add_plain(struct reckoning *reckoning, const struct wm_probe *probe)
{
	const double *outside = reckoning->weights->outside;
	if (wm_probe_is_on_edge(probe) && outside && outside[probe->index] >= 0)
		reckoning->cost.outside += outside[probe->index];
	else
		reckoning->cost.increments += executions_of(reckoning, probe);
}

static double sum(const struct wm_cost *cost)
{
	return cost->increments * wm_prices.increment + cost->by_register * wm_prices.by_register +
	       cost->sets * wm_prices.set + cost->moves * wm_prices.move +
	       cost->compares * wm_prices.compare + cost->outside * wm_prices.outside +
	       cost->prehistory_tests * wm_prices.prehistory_test +
	       cost->prehistory_sets * wm_prices.prehistory_set +
	       cost->prehistory_routes * wm_prices.prehistory_route +
	       cost->prehistory_times * wm_prices.prehistory_times +
	       cost->table_counts * wm_prices.table + cost->splits * wm_prices.split +
	       cost->saves * wm_prices.save + cost->live * wm_prices.live;
}

static struct wm_cost finish(struct reckoning *reckoning)
{
	const struct wm_cost_weights *weights = reckoning->weights;
	for (uint32_t e = 0; e < weights->cfg->edge_count; e++)
		if (reckoning->occupied[e] && weights->place[e] == WM_PLACE_SPLIT)
			reckoning->cost.splits += weights->edge[e];
	reckoning->cost.total = sum(&reckoning->cost);
	return reckoning->cost;
}

struct wm_cost wm_cost_of_plan(
	struct wm_arena *scratch, const struct wm_plan *plan, const struct wm_cost_weights *weights)
{
	struct reckoning reckoning = begin(scratch, weights);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		add_plain(&reckoning, &plan->probes[k]);
	return finish(&reckoning);
}

/* `share`: the part of what it counts that comes with a prehistory. */
static void add_probe(struct reckoning *reckoning, const struct wm_path_plan *plan,
	const struct wm_probe *probe, double share)
{
	struct wm_cost *cost = &reckoning->cost;
	enum wm_counting counting = wm_path_steps_counting(plan, probe);
	bool with_prehistory = wm_path_plan_probe_has_prehistories(plan, probe);
	if (counting == WM_COUNTING_PLAIN && !with_prehistory) {
		add_plain(reckoning, probe);
		return;
	}
	double executions = executions_of(reckoning, probe);
	double in_table = counting == WM_COUNTING_IN_TABLE ? 1 : with_prehistory ? share : 0;
	if (with_prehistory && counting != WM_COUNTING_IN_TABLE)
		cost->prehistory_tests += executions;
	cost->table_counts += in_table * executions;
	if (counting == WM_COUNTING_PLAIN)
		cost->increments += (1 - in_table) * executions;
	else
		cost->by_register += (1 - in_table) * executions;
}

static void add_register_step(struct wm_cost *cost, struct wm_register_step step, double executions)
{
	if (step.change == WM_REGISTER_SET)
		cost->sets += executions;
	if (step.change == WM_REGISTER_MOVED)
		cost->moves += executions;
}

static void add_edge_steps(
	struct reckoning *reckoning, const struct wm_path_plan *plan, uint32_t edge)
{
	struct wm_cost *cost = &reckoning->cost;
	double executions = reckoning->weights->edge[edge];
	struct wm_register_step step = wm_path_steps_on_edge(plan, edge);
	struct wm_prehistory_step prehistory = wm_path_steps_prehistory(plan, edge);
	reckoning->occupied[edge] |= step.change != WM_REGISTER_KEPT || prehistory.changes;
	add_register_step(cost, step, executions);
	cost->prehistory_sets += prehistory.changes * executions;
	cost->prehistory_routes += prehistory.with_route * executions;
	cost->prehistory_times += prehistory.with_prehistory * executions;
}

static void add_vertices(struct reckoning *reckoning, const struct wm_path_plan *plan)
{
	const double *weight = reckoning->weights->vertex;
	bool has_register = false;
	for (uint32_t v = 0; v < plan->function->exit; v++) {
		add_register_step(&reckoning->cost, wm_path_steps_in_block(plan, v), weight[v]);
		reckoning->cost.live += plan->has_register[v] * weight[v];
		has_register |= plan->has_register[v];
	}
	if (has_register)
		reckoning->cost.saves = weight[plan->function->entry];
}

struct wm_cost wm_cost_of_path_plan(struct wm_arena *scratch, const struct wm_path_plan *plan,
	const struct wm_cost_weights *weights)
{
	struct reckoning reckoning = begin(scratch, weights);
	const double *share =
		wm_path_plan_prehistory_shares(scratch, plan, weights->edge, weights->vertex);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		add_probe(&reckoning, plan, probe, share[wm_path_plan_probe_vertex(plan, probe)]);
	}
	for (uint32_t e = 0; e < plan->function->edge_count; e++)
		add_edge_steps(&reckoning, plan, e);
	add_vertices(&reckoning, plan);
	return finish(&reckoning);
}
