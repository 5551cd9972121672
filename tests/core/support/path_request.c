/* Costs serve as weights, too: what runs often costs much. */
#include "path_request.h"

static double *random_costs(struct wm_arena *arena, struct random_source *source, uint32_t count)
{
	double *cost = wm_arena_alloc(arena, count, sizeof *cost);
	for (uint32_t i = 0; i < count; i++)
		cost[i] = random_below(source, 1000);
	return cost;
}

struct wm_path_request random_path_request(
	struct wm_arena *arena, struct random_source *source, const struct wm_cfg *cfg)
{
	const double *edge_cost = random_costs(arena, source, cfg->edge_count);
	const double *vertex_cost = random_costs(arena, source, cfg->vertex_count);
	const bool *no_edge = wm_arena_alloc(arena, cfg->edge_count, sizeof *no_edge);
	return (struct wm_path_request){.cuts = {.max_routes = 1000},
		.edge_cost = edge_cost,
		.plain_cost = edge_cost,
		.vertex_cost = vertex_cost,
		.plain_vertex_cost = vertex_cost,
		.edge_weight = edge_cost,
		.vertex_weight = vertex_cost,
		.uncountable = no_edge,
		.still = no_edge,
		.uncountable_vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool))};
}
