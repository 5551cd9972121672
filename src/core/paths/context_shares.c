/* How much of what runs through a path plan's vertices comes in a context, by weights alone: as if
 * which way a branch takes did not depend on what came before. */
#include "core/paths/path_plan.h"

/* What arrives, predecessors known, and how much of that in a context. */
static double share_at(const struct wm_path_plan *plan, const double *share,
	const double *edge_weight, const double *vertex_weight, uint32_t v)
{
	const struct wm_regions *regions = &plan->regions;
	const struct wm_cfg *split = regions->function;
	uint32_t edges = plan->function->edge_count;
	double all = 0, in_context = 0;
	for (uint32_t k = split->in_start[v]; k < split->in_start[v + 1]; k++) {
		uint32_t e = split->in_edge[k];
		double weight = e < edges ? edge_weight[e] : vertex_weight[e - edges];
		all += weight;
		if (!regions->cut[e])
			in_context += weight * (regions->soft[e] ? 1 : share[split->source[e]]);
	}
	return all > 0 ? in_context / all : 0;
}

double *wm_path_plan_context_shares(struct wm_arena *arena, const struct wm_path_plan *plan,
	const double *edge_weight, const double *vertex_weight)
{
	const struct wm_regions *regions = &plan->regions;
	uint32_t vertices = regions->function->vertex_count;
	double *share = wm_arena_alloc(arena, vertices, sizeof *share);
	for (uint32_t i = 0; i < vertices; i++) {
		uint32_t v = regions->order[i];
		if (regions->always_in_context[v])
			share[v] = 1;
		else if (regions->context_count[v])
			share[v] = share_at(plan, share, edge_weight, vertex_weight, v);
	}
	return share;
}
