/* Paths from history counters: the plan is made again from the description, what its probes counted
 * is collected from counters and tables, and core derives the rest. */
#include "profile/path_counts.h"

#include <string.h>

#include "core/paths/path_plan.h"
#include "profile/known_keys.h"
#include "profile/path_costs.h"
#include "profile/path_list.h"

struct wm_history_list wm_path_counts_table(
	struct wm_arena *scratch, const struct wm_file *file, uint64_t counter)
{
	uint64_t first = wm_file_first_entry(file, counter);
	uint64_t last = wm_file_first_entry(file, counter + 1);
	struct wm_history_count *items = wm_arena_alloc(scratch, last - first, sizeof *items);
	for (uint64_t i = first; i < last; i++)
		items[i - first] =
			(struct wm_history_count){file->entries[i].key, file->entries[i].count};
	return (struct wm_history_list){(uint32_t)(last - first), items};
}

static struct wm_history_list list_array(
	struct wm_arena *scratch, const uint64_t *counter, uint64_t histories)
{
	uint32_t length = 0;
	for (uint64_t h = 0; h < histories; h++)
		length += counter[h] != 0;
	struct wm_history_count *items = wm_arena_alloc(scratch, length, sizeof *items);
	struct wm_history_list list = {0, items};
	for (uint64_t h = 0; list.length < length; h++)
		if (counter[h])
			items[list.length++] = (struct wm_history_count){h, counter[h]};
	return list;
}

/* Two lists, of which the second has the larger histories. */
static struct wm_history_list join(
	struct wm_arena *scratch, struct wm_history_list first, struct wm_history_list second)
{
	struct wm_history_count *items =
		wm_arena_alloc(scratch, (size_t)first.length + second.length, sizeof *items);
	if (first.length)
		memcpy(items, first.items, first.length * sizeof *items);
	if (second.length)
		memcpy(items + first.length, second.items, second.length * sizeof *items);
	return (struct wm_history_list){first.length + second.length, items};
}

static struct wm_history_counters collect(struct wm_arena *scratch,
	const struct wm_solve_source *source, const struct wm_path_plan *plan)
{
	size_t edges = (size_t)plan->regions.function->edge_count + 1;
	struct wm_history_list *counted = wm_arena_alloc(scratch, edges, sizeof *counted);
	uint64_t *plain = wm_arena_alloc(scratch, edges, sizeof *plain);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		uint64_t counter = source->first_counter + plan->first_counter[k];
		const struct wm_probe *probe = &plan->probes[k];
		bool has_array = wm_path_plan_probe_has_array(plan, probe);
		uint32_t edge = wm_path_plan_probe_edge(plan, probe);
		plain[edge] = source->file->counter[counter];
		counted[edge] = (struct wm_history_list){0, NULL};
		if (has_array)
			counted[edge] = list_array(scratch, source->file->counter + counter,
				wm_path_plan_probe_histories(plan, probe));
		if (!has_array || wm_path_plan_probe_has_prehistories(plan, probe))
			counted[edge] = join(scratch, counted[edge],
				wm_known_keys_add(scratch, source, (uint32_t)plan->first_counter[k],
					wm_path_counts_table(scratch, source->file, counter)));
	}
	return (struct wm_history_counters){counted, plain};
}

/* The sum of all increments: what the profile cost. */
static uint64_t sum_counted(
	const struct wm_path_plan *plan, const struct wm_history_counters *counters)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		uint32_t edge = wm_path_plan_probe_edge(plan, &plan->probes[k]);
		const struct wm_history_list *list = &counters->counted[edge];
		for (uint32_t i = 0; i < list->length; i++)
			sum += list->items[i].count;
	}
	return sum;
}

/* Room for one path: edges of the split graph, and blocks. */
struct room {
	uint32_t *edges;
	uint32_t *blocks;
};

/* Adds the paths that end with this edge. */
static void add_paths(struct wm_path_list *list, const struct wm_path_plan *plan,
	const struct wm_history_counts *counts, const struct wm_path_costs *costs, uint32_t edge,
	const struct room *room)
{
	const struct wm_cfg *split = plan->regions.function;
	uint32_t blocks_before = plan->function->edge_count; /* edges from here on are blocks */
	uint32_t *edges = room->edges, *blocks = room->blocks;
	for (uint32_t i = 0; i < counts->taken[edge].length; i++) {
		const struct wm_history_count *item = &counts->taken[edge].items[i];
		uint32_t start, block_count = 0;
		uint32_t length = wm_regions_route_edges(
			&plan->regions, split->source[edge], item->history, edges, &start);
		while (length-- > 0)
			if (edges[length] >= blocks_before)
				blocks[block_count++] = edges[length] - blocks_before;
		wm_path_list_add(list, blocks, block_count, edge, item->count);
		wm_path_costs_give(costs, edge, item->history, &list->paths[list->count - 1]);
	}
}

static bool histories_are_in_range(
	const struct wm_path_plan *plan, const struct wm_history_counters *counters)
{
	const struct wm_cfg *split = plan->regions.function;
	for (uint32_t e = 0; e < split->edge_count; e++) {
		const struct wm_history_list *list = &counters->counted[e];
		for (uint32_t i = 0; i < list->length; i++)
			if (!wm_regions_has(
				    &plan->regions, split->source[e], list->items[i].history) ||
				(i && list->items[i].history <= list->items[i - 1].history))
				return false;
	}
	return true;
}

int wm_path_counts_derive(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	const struct wm_function *function = source->function;
	const struct wm_paths_section *section = function->paths;
	struct wm_path_plan plan;
	struct wm_path_list list;
	int status = wm_path_plan_restore(scratch, source->cfg, source->cut, source->soft,
		section->probes, section->probe_count, section->max_array, &plan, error);
	if (!status)
		status = wm_path_list_open(arena, scratch, source, &list, error);
	if (status)
		return status;
	if (!wm_known_keys_fit(section, plan.counter_count))
		return wm_error_set(error, WM_ERROR_INPUT,
			"its probes need %llu counters, but it has %u",
			(unsigned long long)plan.counter_count, section->head.counter_count);
	struct wm_history_counters counters = collect(scratch, source, &plan);
	if (!histories_are_in_range(&plan, &counters))
		return wm_error_set(error, WM_ERROR_INPUT,
			"a table entry names a path that the function does not have");
	struct wm_history_counts counts = wm_histories_derive(scratch, &plan.histories, &counters);
	uint32_t vertices = plan.regions.function->vertex_count;
	struct room room = {wm_arena_alloc(scratch, vertices, sizeof(uint32_t)),
		wm_arena_alloc(scratch, vertices, sizeof(uint32_t))};
	const struct wm_path_costs costs = wm_path_costs_of(arena, scratch, source, &plan);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (source->cut[e] && function->edge_source[e] != function->block_count)
			add_paths(&list, &plan, &counts, &costs, e, &room);
	wm_path_list_close(&list, result);
	result->group_cost = wm_path_costs_of_groups(&costs);
	result->edge = wm_solve_copy(arena, counts.total, function->edge_count);
	result->block =
		wm_solve_copy(arena, counts.total + function->edge_count, function->block_count);
	result->increments = sum_counted(&plan, &counters);
	return 0;
}
