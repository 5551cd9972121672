/* The plan is made again from the description. Each counter of a sentinel names a table of times.
 */
#include "profile/departures.h"

#include "core/base/none.h"
#include "core/paths/path_plan.h"
#include "profile/path_counts.h"

struct departures {
	struct wm_arena *arena;
	struct wm_arena *scratch;
	const struct wm_path_plan *plan;
	struct wm_profile_departure *list;
	uint32_t count;
	size_t capacity;
};

/* Blocks of the route to the probe with this history, and its own. */
static const uint32_t *blocks_of(struct departures *departures, const struct wm_probe *probe,
	uint64_t history, uint32_t *count)
{
	const struct wm_path_plan *plan = departures->plan;
	const struct wm_cfg *split = plan->regions.function;
	uint32_t *edges = wm_arena_alloc(departures->scratch, split->vertex_count, sizeof *edges);
	uint32_t *blocks =
		wm_arena_alloc(departures->arena, (size_t)split->vertex_count + 1, sizeof *blocks);
	uint32_t start, before = plan->function->edge_count;
	*count = 0;
	if (probe->kind != WM_PROBE_EDGE_BY_HISTORY) {
		blocks[(*count)++] = wm_probe_is_on_edge(probe)
					     ? plan->function->source[probe->index]
					     : probe->index;
		return blocks;
	}
	uint32_t length = wm_regions_route_edges(
		&plan->regions, wm_path_plan_probe_vertex(plan, probe), history, edges, &start);
	while (length-- > 0)
		if (edges[length] >= before)
			blocks[(*count)++] = edges[length] - before;
	return blocks;
}

static void add(struct departures *departures, const struct wm_probe *probe, uint64_t history,
	struct wm_history_list times)
{
	departures->list = wm_arena_grow(departures->arena, departures->list, departures->count,
		&departures->capacity, sizeof *departures->list);
	struct wm_profile_departure *departure = &departures->list[departures->count++];
	*departure = (struct wm_profile_departure){.first = times.items[0].history};
	departure->path.end_edge = wm_probe_is_on_edge(probe) ? probe->index : WM_NONE;
	departure->path.blocks =
		blocks_of(departures, probe, history, &departure->path.block_count);
	for (uint32_t i = 0; i < times.length; i++)
		departure->path.count += times.items[i].count;
}

/* By edge, closing edge included: whether routes are numbered from 0 behind it. */
static const bool *cuts_of(struct wm_arena *scratch, const struct wm_solve_source *source)
{
	const struct wm_sentinels_section *section = source->function->sentinels;
	bool *cut = wm_arena_alloc(scratch, (size_t)source->cfg->edge_count + 1, sizeof *cut);
	for (uint32_t e = 0; e <= source->cfg->edge_count; e++)
		cut[e] = source->cut[e];
	for (uint32_t i = 0; i < section->fresh_count; i++)
		cut[section->fresh[i]] = true;
	return cut;
}

int wm_departures_solve(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	const struct wm_sentinels_section *section = source->function->sentinels;
	struct wm_path_plan plan;
	int status = wm_path_plan_of_probes(scratch, source->cfg, cuts_of(scratch, source),
		section->probes, section->probe_count, UINT32_MAX, &plan, error);
	if (status < 0)
		return status;
	if (plan.counter_count > section->head.counter_count)
		return wm_error_set(error, WM_ERROR_INPUT, "it has fewer counters than sentinels");
	for (uint32_t k = 0; k < plan.probe_count; k++)
		if (!wm_path_plan_probe_has_array(&plan, &plan.probes[k]))
			return wm_error_set(
				error, WM_ERROR_INPUT, "a sentinel has too many histories");
	struct departures departures = {.arena = arena, .scratch = scratch, .plan = &plan};
	for (uint32_t k = 0; k < plan.probe_count; k++)
		for (uint64_t h = 0; h < wm_path_plan_probe_histories(&plan, &plan.probes[k]);
			h++) {
			struct wm_history_list times = wm_path_counts_table(scratch, source->file,
				source->first_counter + plan.first_counter[k] + h);
			if (times.length > 0)
				add(&departures, &plan.probes[k], h, times);
		}
	result->departure_count = departures.count;
	result->departures = departures.list;
	return 0;
}
