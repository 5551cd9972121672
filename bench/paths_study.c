/* Tables of the studies on selected and preferred paths, for graphs in DOT files (functions of real
 * programs; see the script of the same name) and for random ones.
 *
 * Probes: selective path profiling against Ball and Larus for 1 to 5 random paths (Apiwattanapong
 * and Harrold 2002, studies 1 and 2). Delta: table entries per interesting path (Vaswani 2007,
 * figures 3.17 and 3.18), beside the optimum where it is found and the scaled hash.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/chosen/prefer.h"
#include "core/chosen/prefer_optimum.h"
#include "core/chosen/scaled_hash.h"
#include "core/chosen/select.h"
#include "core/graph/weights.h"
#include "graph/graph.h"
#include "support/random_paths.h"

enum { MAX_SELECTED = 5, SUBSETS = 100, MAX_INTERESTING = 300, RANDOM_GRAPHS = 100 };
enum { DELTA_GRAPHS = 10, ORDERS = 500, PACKED_ORDERS = 50, OPTIMUM_STEPS = 300000 };

static const uint64_t max_paths = (uint64_t)1 << 40;

struct graphs {
	struct wm_arena arena;
	uint32_t count;
	uint32_t room;
	const struct wm_cfg **cfg;
};

static void add_graph(struct graphs *graphs, const struct wm_cfg *cfg)
{
	if (graphs->count == graphs->room) {
		graphs->room = 2 * graphs->room + 16;
		graphs->cfg = realloc(graphs->cfg, graphs->room * sizeof *graphs->cfg);
		if (!graphs->cfg)
			abort();
	}
	graphs->cfg[graphs->count++] = cfg;
}

static void forget(struct graphs *graphs)
{
	free(graphs->cfg);
	wm_arena_reset(&graphs->arena);
	*graphs = (struct graphs){0};
}

static uint64_t random_number(struct random_source *source, uint64_t limit)
{
	uint64_t high = random_below(source, UINT32_MAX);
	return (high << 32 | random_below(source, UINT32_MAX)) % limit;
}

static void choose(struct random_source *source, uint64_t limit, uint32_t count, uint64_t *numbers)
{
	for (uint32_t i = 0; i < count;) {
		bool fresh = true;
		numbers[i] = random_number(source, limit);
		for (uint32_t k = 0; k < i; k++)
			fresh &= numbers[k] != numbers[i];
		i += fresh;
	}
}

static uint32_t nonzero(const struct wm_paths *paths, const uint64_t *value)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		count += value[e] != 0;
	return count;
}

struct probes {
	uint32_t graphs;
	uint32_t below; /* graphs that need less than 60% of Ball and Larus's probes */
	double all;
	double selected;
	double ratio;
	double unpushed_ratio;
};

static void study_selection(const struct wm_cfg *cfg, struct random_source *source, uint32_t count,
	struct probes *probes)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_paths paths;
	double selected = 0, unpushed = 0;
	if (wm_paths_number(&arena, cfg, NULL, max_paths, &paths, &error) == 0 &&
		paths.count > count) {
		uint32_t all = nonzero(&paths, paths.value);
		for (uint32_t i = 0; i < SUBSETS; i++) {
			struct wm_arena scratch = {0};
			struct wm_selection selection;
			uint64_t numbers[MAX_SELECTED];
			choose(source, paths.count, count, numbers);
			wm_select_plan(&scratch, &paths, NULL, numbers, count, &selection);
			selected += (double)selection.probe_count / SUBSETS;
			unpushed += (double)nonzero(&paths, selection.value) / SUBSETS;
			wm_arena_reset(&scratch);
		}
		probes->graphs++;
		probes->all += all;
		probes->selected += selected;
		probes->ratio += selected / all;
		probes->unpushed_ratio += unpushed / all;
		probes->below += selected < 0.6 * all;
	}
	wm_arena_reset(&arena);
}

static void print_probes(const char *name, const struct graphs *graphs)
{
	for (uint32_t count = 1; count <= MAX_SELECTED; count++) {
		struct random_source source = random_from_seed(2002 + count);
		struct probes probes = {0};
		for (uint32_t i = 0; i < graphs->count; i++)
			study_selection(graphs->cfg[i], &source, count, &probes);
		if (!probes.graphs)
			continue;
		printf("%-24s %5u %7u %12.1f %10.1f %7.2f %14.2f %11.0f%%\n", name, count,
			probes.graphs, probes.all / probes.graphs, probes.selected / probes.graphs,
			probes.ratio / probes.graphs, probes.unpushed_ratio / probes.graphs,
			100.0 * probes.below / probes.graphs);
	}
}

struct deltas {
	uint32_t graphs;
	uint32_t optima;
	double ball_larus; /* logarithms, base 10 */
	double published;
	double ordered;
	double packed;
	double optimum;
	double max_slots;
	double max_extra;
};

static uint64_t range_of(const uint64_t *numbers, uint32_t count)
{
	uint64_t least = UINT64_MAX, largest = 0;
	for (uint32_t i = 0; i < count; i++) {
		least = numbers[i] < least ? numbers[i] : least;
		largest = numbers[i] > largest ? numbers[i] : largest;
	}
	return largest - least + 1;
}

static void add_deltas(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count, struct deltas *deltas)
{
	struct wm_preference published, ordered, packed;
	struct wm_scaled_hash hash;
	wm_prefer_plan(arena, paths, numbers, count, WM_PREFER_INTERVALS, 0, &published);
	wm_prefer_plan(arena, paths, numbers, count, WM_PREFER_INTERVALS, ORDERS, &ordered);
	wm_prefer_plan(arena, paths, numbers, count, WM_PREFER_PACKING, PACKED_ORDERS, &packed);
	uint64_t known = ordered.range < packed.range ? ordered.range : packed.range;
	wm_scaled_hash_choose(arena, numbers, NULL, count, &hash);
	struct wm_prefer_optimum optimum =
		wm_prefer_optimum_find(arena, paths, numbers, count, known, OPTIMUM_STEPS);
	deltas->graphs++;
	deltas->optima += optimum.reached;
	deltas->ball_larus += log10((double)range_of(numbers, count) / count);
	deltas->published += log10(wm_prefer_delta(&published));
	deltas->ordered += log10(wm_prefer_delta(&ordered));
	deltas->packed += log10(wm_prefer_delta(&packed));
	deltas->optimum += log10((double)optimum.range / count);
	deltas->max_slots = fmax(deltas->max_slots, exp2(hash.bits) / count);
	deltas->max_extra = fmax(deltas->max_extra, (double)hash.extra / count);
}

static void study_preference(const struct wm_cfg *cfg, struct random_source *source, uint32_t count,
	struct deltas *deltas)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_paths paths;
	uint64_t numbers[MAX_INTERESTING];
	if (wm_paths_number(&arena, cfg, NULL, max_paths, &paths, &error) == 0 &&
		paths.count >= count &&
		likely_paths(&arena, source, &paths, count, numbers) == count)
		add_deltas(&arena, &paths, numbers, count, deltas);
	wm_arena_reset(&arena);
}

static void print_deltas(const char *name, const struct graphs *graphs)
{
	static const uint32_t counts[] = {3, 10, 30, 100, 300};
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		struct random_source source = random_from_seed(2007);
		struct deltas deltas = {0};
		for (uint32_t i = 0; i < graphs->count; i++)
			study_preference(graphs->cfg[i], &source, counts[k], &deltas);
		if (!deltas.graphs)
			continue;
		printf("%-22s %5u %6u %10.4g %9.2f %9.2f %7.2f %7.2f %4u%% %6.2f %6.3f\n", name,
			counts[k], deltas.graphs, pow(10, deltas.ball_larus / deltas.graphs),
			pow(10, deltas.published / deltas.graphs),
			pow(10, deltas.ordered / deltas.graphs),
			pow(10, deltas.packed / deltas.graphs),
			pow(10, deltas.optimum / deltas.graphs),
			100 * deltas.optima / deltas.graphs, deltas.max_slots, deltas.max_extra);
	}
}

static void read_graphs(struct graphs *graphs, int count, char **files)
{
	struct wm_error error;
	for (int i = 0; i < count; i++) {
		struct wm_graph graph;
		if (wm_graph_read(&graphs->arena, files[i], &graph, &error) < 0) {
			fprintf(stderr, "paths_study: %s\n", error.text);
			exit(1);
		}
		add_graph(graphs, graph.cfg);
		wm_graph_close(&graph);
	}
}

static void draw_chains(struct graphs *graphs, uint32_t conditionals, uint32_t count)
{
	struct random_source source = random_from_seed(conditionals);
	for (uint32_t i = 0; i < count; i++)
		add_graph(graphs, random_chain(&graphs->arena, &source, conditionals));
}

static void draw_acyclic(struct graphs *graphs, uint32_t vertices, uint32_t count)
{
	struct random_source source = random_from_seed(vertices);
	for (uint32_t i = 0; i < count; i++)
		add_graph(graphs, random_acyclic(&graphs->arena, &source, vertices, 8));
}

/* Acyclic graphs, and this many kinds of chains, the shortest first. */
static void print_random(
	void (*print)(const char *, const struct graphs *), uint32_t count, size_t chains)
{
	static const uint32_t conditionals[] = {8, 14, 20};
	struct graphs graphs = {0};
	draw_acyclic(&graphs, 30, count);
	print("random acyclic graphs", &graphs);
	forget(&graphs);
	for (size_t i = 0; i < chains; i++) {
		char name[32];
		snprintf(name, sizeof name, "chains of %u branches", conditionals[i]);
		draw_chains(&graphs, conditionals[i], count);
		print(name, &graphs);
		forget(&graphs);
	}
}

int main(int argc, char **argv)
{
	struct graphs functions = {0};
	read_graphs(&functions, argc - 1, argv + 1);
	printf("Probes for some paths (means; %d random choices for each graph)\n", SUBSETS);
	printf("%-24s %5s %7s %12s %10s %7s %14s %12s\n", "", "paths", "graphs", "Ball-Larus",
		"selective", "ratio", "without push", "below 60%");
	print_probes("functions", &functions);
	print_random(print_probes, RANDOM_GRAPHS, 1);
	printf("\nTable entries per interesting path (delta; geometric means) and the scaled "
	       "hash\n(optimum: a lower bound where not all were found; slots, extra: the "
	       "largest)\n");
	printf("%-22s %5s %6s %10s %9s %9s %7s %7s %5s %6s %6s\n", "", "paths", "graphs",
		"Ball-Larus", "published", "reordered", "packed", "optimum", "found", "slots",
		"extra");
	print_deltas("functions", &functions);
	print_random(print_deltas, DELTA_GRAPHS, 3);
	forget(&functions);
	return 0;
}
