/* Exhaustive placement by branch and bound.
 *
 * Places are decided by falling weight: first without a counter, then with one. What determines the
 * counts still does so with one counter more, so a branch dies as soon as what it leaves uncounted
 * is too much even if everything undecided were counted, or when it is no cheaper than the best.
 */
#include "support/exhaustive.h"

#include <string.h>

#include "core/base/order.h"
#include "core/graph/flow.h"

struct search {
	const struct wm_cfg *cfg;
	enum wm_problem problem;
	struct wm_disjoint_sets sets;
	bool *edge_counted; /* decided or not: what is undecided counts as counted */
	bool *vertex_counted;
	bool *counted;	      /* by place: edge_counted or vertex_counted */
	const double *weight; /* by place */
	uint32_t *place;      /* by level */
	uint32_t place_count;
	double best_cost;
	bool *best; /* by place */
};

static bool merge_uncounted_edges(struct search *search)
{
	bool acyclic = true;
	for (uint32_t e = 0; e <= search->cfg->edge_count; e++)
		if (e == search->cfg->edge_count || !search->edge_counted[e])
			acyclic &= wm_flow_join(search->cfg, &search->sets, e);
	return acyclic;
}

/* With vertex counters EXIT comes first and need not be determined: core/counters/propagate.c. */
static bool merge_uncounted_vertices(struct search *search)
{
	const struct wm_cfg *cfg = search->cfg;
	bool acyclic = wm_flow_join(cfg, &search->sets, wm_flow_vertex_edge(cfg, cfg->exit)) ||
		       search->problem == WM_PROBLEM_BLOCKS_VERTEX;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (v != cfg->exit && !search->vertex_counted[v])
			acyclic &= wm_flow_join(cfg, &search->sets, wm_flow_vertex_edge(cfg, v));
	return acyclic;
}

static bool is_sufficient(struct search *search)
{
	wm_disjoint_sets_clear(&search->sets, wm_flow_node_count(search->cfg));
	bool edges_known = merge_uncounted_edges(search);
	bool vertices_known = merge_uncounted_vertices(search);
	return vertices_known && (edges_known || search->problem != WM_PROBLEM_EDGES);
}

static void keep_best(struct search *search, double cost)
{
	search->best_cost = cost;
	for (uint32_t level = 0; level < search->place_count; level++)
		search->best[search->place[level]] = search->counted[search->place[level]];
}

static void search_all(struct search *search)
{
	enum { FRESH, TRIED_WITHOUT, TRIED_BOTH };
	uint8_t tried[WM_EXHAUSTIVE_LIMIT + 1] = {FRESH};
	double cost[WM_EXHAUSTIVE_LIMIT + 1] = {0};
	for (int level = 0; level >= 0;) {
		if (level == (int)search->place_count) {
			keep_best(search, cost[level]);
			level--;
			continue;
		}
		uint32_t place = search->place[level];
		bool count_it = tried[level] != FRESH;
		if (tried[level] == TRIED_BOTH) {
			level--;
			continue;
		}
		tried[level]++;
		search->counted[place] = count_it;
		cost[level + 1] = cost[level] + (count_it ? search->weight[place] : 0);
		if (cost[level + 1] < search->best_cost && (count_it || is_sufficient(search)))
			tried[++level] = FRESH;
	}
}

static void set_up_places(struct wm_arena *scratch, struct search *search,
	const struct wm_plan_request *request, uint32_t *order, uint32_t candidates)
{
	bool on_vertices = request->problem == WM_PROBLEM_BLOCKS_VERTEX;
	search->place = wm_arena_alloc(scratch, candidates, sizeof *search->place);
	for (uint32_t i = 0; i < candidates; i++) {
		uint32_t place = order[i];
		search->counted[place] =
			on_vertices ? place != search->cfg->exit
				    : !request->uncountable || !request->uncountable[place];
		if (search->counted[place])
			search->place[search->place_count++] = place;
	}
	for (uint32_t e = 0; on_vertices && e < search->cfg->edge_count; e++)
		search->edge_counted[e] = false;
}

static const double *weights_of_vertices(
	struct wm_arena *scratch, const struct wm_cfg *cfg, const double *edge_weight)
{
	double *weight = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *weight);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		weight[v] = wm_plan_vertex_weight(cfg, edge_weight, v);
	return weight;
}

static int improve(struct wm_arena *arena, struct wm_arena *scratch, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, struct wm_plan *plan, struct wm_error *error)
{
	bool on_vertices = request->problem == WM_PROBLEM_BLOCKS_VERTEX;
	uint32_t candidates = on_vertices ? cfg->vertex_count : cfg->edge_count;
	struct search search = {
		.cfg = cfg,
		.problem = request->problem,
		.sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg)),
		.edge_counted = wm_arena_alloc(scratch, cfg->edge_count, sizeof(bool)),
		.vertex_counted = wm_arena_alloc(scratch, cfg->vertex_count, sizeof(bool)),
		.weight = on_vertices ? weights_of_vertices(scratch, cfg, request->weight)
				      : request->weight,
		.best_cost = plan->cost,
		.best = wm_arena_alloc(scratch, candidates, sizeof(bool)),
	};
	search.counted = on_vertices ? search.vertex_counted : search.edge_counted;
	uint32_t *order = wm_order_by_weight(scratch, search.weight, candidates, false);
	set_up_places(scratch, &search, request, order, candidates);
	if (search.place_count > WM_EXHAUSTIVE_LIMIT)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%u places for counters are too many to search: at most %d",
			search.place_count, WM_EXHAUSTIVE_LIMIT);
	search_all(&search);
	if (search.best_cost < plan->cost) {
		memcpy(search.counted, search.best, candidates * sizeof(bool));
		wm_plan_fill(arena, cfg, request, search.edge_counted, search.vertex_counted, plan);
	}
	return 0;
}

int wm_exhaustive_plan(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, struct wm_plan *plan, struct wm_error *error)
{
	if (request->problem == WM_PROBLEM_REDUNDANT ||
		request->problem == WM_PROBLEM_REDUNDANT_EDGES)
		return wm_error_set(error, WM_ERROR_INPUT, "placement %s leaves nothing to search",
			wm_problem_name(request->problem));
	int status = wm_plan_make(arena, cfg, request, plan, error);
	struct wm_arena scratch = {0};
	if (status == 0)
		status = improve(arena, &scratch, cfg, request, plan, error);
	wm_arena_reset(&scratch);
	return status;
}
