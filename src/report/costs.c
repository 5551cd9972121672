/* Costs: a row for each path, group and function, and what is hot among them. */
#include "report/costs.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "profile/hot_paths.h"

static uint32_t find_meter(const struct wm_profile_function *function, const char *meter)
{
	const struct wm_meters_section *section = function->function->meters;
	for (uint32_t m = 0; section && function->paths && m < section->meter_count; m++)
		if (!strcmp(section->meters[m], meter))
			return m;
	return WM_NONE;
}

static struct wm_cost_row *add_row(
	struct wm_cost_table *table, const struct wm_profile_function *function)
{
	struct wm_cost_row *row = &table->rows[table->count++];
	*row = (struct wm_cost_row){.function = function};
	return row;
}

static void add_path(struct wm_costs *costs, const struct wm_profile_function *function,
	const struct wm_profile_path *path, uint32_t meter, struct wm_cost_row *groups)
{
	struct wm_cost_row *row = path->group ? &groups[path->group - 1] : NULL;
	if ((int64_t)path->count <= 0)
		return;
	if (!row && !path->cost) {
		costs->unread++;
		return;
	}
	if (!row) {
		row = add_row(&costs->paths, function);
		row->path = path;
		row->cost = (int64_t)path->cost[meter];
	}
	row->count += path->count;
	row->instructions += wm_hot_path_instructions(function, path);
}

static void add_function(
	struct wm_costs *costs, const struct wm_profile_function *function, uint32_t meter)
{
	const struct wm_meters_section *section = function->function->meters;
	size_t first = costs->paths.count;
	for (uint32_t g = 0; g < section->group_count; g++) {
		struct wm_cost_row *row = add_row(&costs->paths, function);
		row->group = g;
		row->cost = (int64_t)function->group_cost[g * section->meter_count + meter];
	}
	struct wm_cost_row *groups = &costs->paths.rows[first];
	for (uint32_t i = 0; i < function->path_count; i++)
		add_path(costs, function, &function->paths[i], meter, groups);
	struct wm_cost_row *sum = add_row(&costs->functions, function);
	sum->count = function->calls;
	for (size_t i = first; i < costs->paths.count; i++) {
		const struct wm_cost_row *row = &costs->paths.rows[i];
		sum->instructions += row->instructions;
		sum->cost += row->cost;
		sum->paths += row->count > 0 || row->cost != 0;
	}
	costs->cost += sum->cost;
	costs->instructions += sum->instructions;
}

static int by_falling_cost(const void *left, const void *right)
{
	const struct wm_cost_row *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	if (a->instructions != b->instructions)
		return a->instructions > b->instructions ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* What did nothing is no row. */
static void drop_idle(struct wm_cost_table *table)
{
	size_t kept = 0;
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].count || table->rows[i].cost)
			table->rows[kept++] = table->rows[i];
	table->count = kept;
}

static enum wm_cost_class class_of(
	const struct wm_cost_row *row, const struct wm_costs *costs, double percent)
{
	double cost = (double)row->cost, whole = (double)costs->cost;
	if (whole <= 0 || cost * 100 < whole * percent)
		return WM_COST_COLD;
	bool dense = cost * (double)costs->instructions > whole * (double)row->instructions;
	return dense ? WM_COST_DENSE : WM_COST_SPARSE;
}

static void classify(struct wm_cost_table *table, const struct wm_costs *costs, double percent)
{
	drop_idle(table);
	if (table->count)
		qsort(table->rows, table->count, sizeof *table->rows, by_falling_cost);
	for (size_t i = 0; i < table->count; i++) {
		struct wm_cost_row *row = &table->rows[i];
		row->class = class_of(row, costs, percent);
		struct wm_cost_sums *sums = &table->sums[row->class];
		sums->number++;
		sums->instructions += row->instructions;
		sums->cost += row->cost;
		sums->paths += row->paths;
	}
}

/* On how many of the function's paths that ran each of its blocks lies. */
static uint32_t *count_paths(struct wm_arena *arena, const struct wm_profile_function *function)
{
	uint32_t *paths = wm_arena_alloc(arena, function->function->block_count, sizeof *paths);
	for (uint32_t i = 0; i < function->path_count; i++)
		for (uint32_t b = 0; b < function->paths[i].block_count; b++)
			paths[function->paths[i].blocks[b]]++;
	return paths;
}

static double paths_of_hot_block(const struct wm_costs *costs)
{
	struct wm_arena arena = {0};
	uint64_t blocks = 0, paths = 0;
	for (size_t i = 0; i < costs->paths.count; i++) {
		const struct wm_cost_row *row = &costs->paths.rows[i];
		if (row->class == WM_COST_COLD || !row->path)
			continue;
		const uint32_t *of_block = count_paths(&arena, row->function);
		for (uint32_t b = 0; b < row->path->block_count; b++)
			paths += of_block[row->path->blocks[b]];
		blocks += row->path->block_count;
		wm_arena_reset(&arena);
	}
	return blocks ? (double)paths / (double)blocks : 0;
}

static struct wm_cost_table make_room(struct wm_arena *arena, size_t count)
{
	return (struct wm_cost_table){
		.rows = wm_arena_alloc(arena, count, sizeof(struct wm_cost_row))};
}

bool wm_costs_find(struct wm_arena *arena, const struct wm_profile *profile, const char *meter,
	double percent, struct wm_costs *costs)
{
	size_t rows = 0;
	bool any = false;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		rows += profile->functions[i].path_count +
			(function->meters ? function->meters->group_count : 0);
	}
	*costs = (struct wm_costs){.paths = make_room(arena, rows),
		.functions = make_room(arena, profile->function_count)};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		uint32_t number = find_meter(&profile->functions[i], meter);
		any |= number != WM_NONE;
		if (number != WM_NONE)
			add_function(costs, &profile->functions[i], number);
	}
	classify(&costs->paths, costs, percent);
	classify(&costs->functions, costs, percent);
	costs->paths_of_hot_block = paths_of_hot_block(costs);
	return any;
}

const char *wm_costs_list_meters(struct wm_arena *arena, const struct wm_profile *profile)
{
	const struct wm_meters_section *section = NULL;
	for (uint32_t i = 0; !section && i < profile->function_count; i++)
		section = profile->functions[i].function->meters;
	size_t bytes = 1;
	for (uint32_t m = 0; section && m < section->meter_count; m++)
		bytes += strlen(section->meters[m]) + 2;
	char *list = wm_arena_alloc(arena, bytes, 1);
	for (uint32_t m = 0; section && m < section->meter_count; m++) {
		strcat(list, m ? ", " : "");
		strcat(list, section->meters[m]);
	}
	return list;
}
