/* Costs of paths: a path's word has the place of its counter. */
#include "profile/path_costs.h"

static const uint64_t NOWHERE = UINT64_MAX;

static uint32_t paths_words(const struct wm_meters_section *section)
{
	return wm_meters_stride(section) - section->group_count;
}

struct wm_path_costs wm_path_costs_of(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, const struct wm_path_plan *plan)
{
	const struct wm_function *function = source->function;
	const struct wm_meters_section *section = function->meters;
	struct wm_path_costs costs = {.arena = arena, .section = section};
	if (!section)
		return costs;
	costs.words = source->file->counter + source->first_counter -
		      function->paths->head.first_counter + section->head.first_counter;
	costs.first_counter =
		wm_arena_alloc(scratch, function->edge_count, sizeof *costs.first_counter);
	costs.group = wm_arena_alloc(scratch, function->edge_count, sizeof *costs.group);
	for (uint32_t e = 0; e < function->edge_count; e++)
		costs.first_counter[e] = NOWHERE;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		if (probe->kind == WM_PROBE_EDGE_BY_HISTORY && source->cut[probe->index] &&
			wm_path_plan_probe_has_array(plan, probe))
			costs.first_counter[probe->index] = plan->first_counter[k];
	}
	for (uint32_t g = 0; g < section->group_count; g++)
		for (uint32_t i = 0; i < section->groups[g].edge_count; i++)
			costs.group[section->groups[g].edges[i]] = g + 1;
	return costs;
}

static const uint64_t *words_at(const struct wm_path_costs *costs, uint64_t first)
{
	uint32_t meters = costs->section->meter_count;
	uint64_t *words = wm_arena_alloc(costs->arena, meters, sizeof *words);
	for (uint32_t m = 0; m < meters; m++)
		words[m] = costs->words[first + (uint64_t)m * wm_meters_stride(costs->section)];
	return words;
}

void wm_path_costs_give(const struct wm_path_costs *costs, uint32_t edge, uint64_t history,
	struct wm_profile_path *path)
{
	if (!costs->section)
		return;
	path->group = costs->group[edge];
	if (!path->group && costs->first_counter[edge] != NOWHERE)
		path->cost = words_at(costs, costs->first_counter[edge] + history);
}

const uint64_t *wm_path_costs_of_groups(const struct wm_path_costs *costs)
{
	if (!costs->section || !costs->section->group_count)
		return NULL;
	uint32_t groups = costs->section->group_count, meters = costs->section->meter_count;
	uint64_t *result = wm_arena_alloc(costs->arena, (size_t)groups * meters, sizeof *result);
	for (uint32_t g = 0; g < groups; g++) {
		const uint64_t *words = words_at(costs, (uint64_t)paths_words(costs->section) + g);
		for (uint32_t m = 0; m < meters; m++)
			result[g * meters + m] = words[m];
	}
	return result;
}
