/* The registers of a path plan: where they are needed, and the potentials that leave them as they
 * are along the busiest edges. */
#include "core/paths/path_plan.h"

#include "core/base/disjoint_sets.h"
#include "core/base/order.h"
#include "core/graph/potentials.h"

/* By vertex of the split graph: what is asked for there or behind it. */
struct needs {
	bool *route;
	bool *prehistory;
};

/* Whether a probe on an edge of the vertex counts by history, and whether, behind an edge that is
 * not cut, something is asked for. Behind a soft edge the route to it is a part of the
 * prehistory. */
static void ask_at(const struct wm_path_plan *plan, uint32_t v, struct needs *needs)
{
	const struct wm_cfg *split = plan->regions.function;
	bool counted = false, route = false, prehistory = false;
	for (uint32_t k = split->out_start[v]; k < split->out_start[v + 1]; k++) {
		uint32_t e = split->out_edge[k], target = split->out_target[k];
		counted |= plan->histories.probe[e] == WM_HISTORY_COUNTED;
		if (plan->regions.cut[e])
			continue;
		route |= plan->regions.soft[e] ? needs->prehistory[target] : needs->route[target];
		prehistory |= needs->prehistory[target];
	}
	needs->route[v] = route || (counted && plan->regions.route_count[v] > 1);
	needs->prehistory[v] = prehistory || (counted && plan->regions.prehistory_count[v]);
}

static struct needs find_needs(struct wm_arena *arena, const struct wm_path_plan *plan)
{
	const struct wm_cfg *split = plan->regions.function;
	struct needs needs = {wm_arena_alloc(arena, split->vertex_count, sizeof(bool)),
		wm_arena_alloc(arena, split->vertex_count, sizeof(bool))};
	for (uint32_t i = split->vertex_count; i-- > 0;)
		ask_at(plan, plan->regions.order[i], &needs);
	return needs;
}

/* By vertex of the function: whether a register is kept there, because it is needed and more than
 * `known` routes or prehistories lead there; or because a still edge leads to such a vertex. */
static bool *find_keepers(struct wm_arena *arena, const struct wm_path_plan *plan,
	const bool *needed, const uint64_t *count, uint64_t known, const bool *still)
{
	const struct wm_cfg *function = plan->function;
	bool *keeps = wm_arena_alloc_unset(arena, function->vertex_count, sizeof *keeps);
	for (uint32_t v = 0; v < function->vertex_count; v++)
		keeps[v] = count[wm_split_arrival(v)] > known && needed[wm_split_arrival(v)];
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (still[e] && !plan->cut[e] && !plan->soft[e] && keeps[function->target[e]])
			keeps[function->source[e]] = true;
	return keeps;
}

static bool carries_register(const struct wm_path_plan *plan, uint32_t edge)
{
	return !plan->cut[edge] && !plan->soft[edge] &&
	       plan->has_register[plan->function->source[edge]] &&
	       plan->has_register[plan->function->target[edge]];
}

static bool join_ends(const struct wm_cfg *function, struct wm_disjoint_sets *sets, uint32_t e)
{
	return wm_disjoint_sets_join(sets, function->source[e], function->target[e]);
}

/* A forest of edges along which the register does not change: those where it cannot, then the
 * busiest. */
static bool *choose_still_edges(struct wm_arena *arena, const struct wm_path_plan *plan,
	const struct wm_path_request *request)
{
	const struct wm_cfg *function = plan->function;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(arena, function->vertex_count);
	bool *still = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *still);
	uint32_t *others = wm_arena_alloc_unset(arena, function->edge_count, sizeof *others);
	double *weight = wm_arena_alloc_unset(arena, function->edge_count, sizeof *weight);
	uint32_t count = 0;
	for (uint32_t e = 0; e < function->edge_count; e++) {
		if (!carries_register(plan, e))
			continue;
		if (request->still[e]) {
			still[e] = join_ends(function, &sets, e);
		} else {
			weight[count] = request->edge_weight[e];
			others[count++] = e;
		}
	}
	const uint32_t *order = wm_order_by_weight(arena, weight, count, false);
	for (uint32_t i = 0; i < count; i++)
		still[others[order[i]]] = join_ends(function, &sets, others[order[i]]);
	return still;
}

void wm_path_plan_carry(
	struct wm_arena *arena, struct wm_path_plan *plan, const struct wm_path_request *request)
{
	struct wm_arena scratch = {0};
	struct needs needs = find_needs(&scratch, plan);
	plan->has_register = find_keepers(
		arena, plan, needs.route, plan->regions.route_count, 1, request->still);
	plan->has_prehistory = find_keepers(
		arena, plan, needs.prehistory, plan->regions.prehistory_count, 0, request->still);
	plan->potential =
		wm_arena_alloc(arena, plan->function->vertex_count, sizeof *plan->potential);
	wm_potentials(&scratch, plan->function, choose_still_edges(&scratch, plan, request),
		plan->regions.offset, plan->potential);
	wm_arena_reset(&scratch);
}
