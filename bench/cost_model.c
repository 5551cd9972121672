/* What the cost model says of a run: for each function of a profile, the plan that its description
 * holds, priced by how often its edges ran. One line per function, fields between tabs; the script
 * of the same name sets them beside what was measured.
 *
 * The description does not say which counters left their loops, nor which edges are indirect jumps,
 * nor for which estimates the registers' potentials were chosen: counters are taken to be in place,
 * edges to be ordinary, and potentials to be the best for the run.
 */
#include <stdio.h>

#include "profile/profile.h"
#include "support/cost_model.h"

static double *to_weights(struct wm_arena *arena, const uint64_t *counts, uint32_t count)
{
	double *weight = wm_arena_alloc(arena, (size_t)count + 1, sizeof *weight); /* EXIT: 0 */
	for (uint32_t i = 0; i < count; i++)
		weight[i] = (double)(int64_t)counts[i];
	return weight;
}

static struct wm_cost_weights weigh(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_profile_function *source)
{
	uint8_t *place = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *place);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		place[e] = (uint8_t)wm_cost_usual_place(cfg, e);
	return (struct wm_cost_weights){.cfg = cfg,
		.edge = to_weights(arena, source->edge, cfg->edge_count),
		.vertex = to_weights(arena, source->block, cfg->vertex_count - 1),
		.place = place};
}

static struct wm_cost price_paths(struct wm_arena *arena, const struct wm_function *function,
	const struct wm_cost_weights *weights)
{
	struct wm_path_plan plan;
	struct wm_error error;
	const struct wm_path_request request = {.edge_weight = weights->edge,
		.vertex_weight = weights->vertex,
		.still = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof(bool))};
	int status = wm_path_plan_restore(arena, weights->cfg,
		wm_function_edges_with(arena, function, WM_EDGE_CUT, true),
		wm_function_edges_with(arena, function, WM_EDGE_SOFT, false),
		function->paths->probes, function->paths->probe_count, function->paths->max_array,
		&plan, &error);
	if (status < 0) /* the reader made the same plan before */
		return (struct wm_cost){0};
	wm_path_plan_carry(arena, &plan, &request);
	return wm_cost_of_path_plan(arena, &plan, weights);
}

static struct wm_cost price(struct wm_arena *arena, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	const struct wm_cfg *cfg = wm_function_graph(arena, function);
	struct wm_cost_weights weights = weigh(arena, cfg, source);
	if (function->paths)
		return price_paths(arena, function, &weights);
	struct wm_plan plan = {.probe_count = function->counters->probe_count,
		.probes = function->counters->probes};
	return wm_cost_of_plan(arena, &plan, &weights);
}

static bool has_counts(const struct wm_profile_function *source)
{
	return source->edge && source->block &&
	       (source->function->paths || source->function->counters);
}

/* Instructions: the columns that the script knows by name, what remains, and the sum. */
static void print(const struct wm_profile_function *source, const struct wm_cost *cost)
{
	double named[] = {cost->increments * wm_prices.increment,
		cost->by_register * wm_prices.by_register,
		cost->sets * wm_prices.set + cost->moves * wm_prices.move,
		cost->splits * wm_prices.split,
		cost->saves * wm_prices.save + cost->live * wm_prices.live};
	double rest = cost->total;
	printf("%s", source->function->name);
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		printf("\t%.0f", named[i]);
		rest -= named[i];
	}
	printf("\t%.0f\t%.0f\n", rest, cost->total);
}

int main(int argc, char **argv)
{
	struct wm_arena arena = {0}, scratch = {0};
	struct wm_error error;
	struct wm_file file;
	struct wm_profile profile;
	if (argc != 2) {
		fprintf(stderr, "usage: cost_model PROFILE.wmk\n");
		return 2;
	}
	if (wm_file_read(&arena, argv[1], &file, &error) < 0 ||
		wm_profile_make(&arena, &file, NULL, &profile, &error) < 0) {
		fprintf(stderr, "cost_model: %s\n", error.text);
		return 1;
	}
	for (uint32_t i = 0; i < profile.function_count; i++) {
		if (!has_counts(&profile.functions[i]))
			continue;
		struct wm_cost cost = price(&scratch, &profile.functions[i]);
		print(&profile.functions[i], &cost);
		wm_arena_reset(&scratch);
	}
	wm_arena_reset(&arena);
	return 0;
}
