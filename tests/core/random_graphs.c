/* Placements and propagation on random graphs, against walks and against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/counters/plan.h"
#include "core/counters/propagate.h"
#include "core/graph/weights.h"
#include "support/determined.h"
#include "support/exhaustive.h"
#include "support/random_graph.h"

enum { GRAPHS = 12000, MAX_VERTICES = 12, BRUTE_FORCE_EDGES = 14, PROBLEMS = 5 };

struct trial {
	struct wm_arena arena;
	struct random_source random;
	struct wm_cfg *cfg;
	double *weight;
};

static void start_trial(struct trial *trial, uint64_t seed)
{
	trial->random = random_from_seed(seed);
	trial->cfg = random_graph(&trial->arena, &trial->random, MAX_VERTICES);
	trial->weight = wm_arena_alloc(&trial->arena, trial->cfg->edge_count, sizeof(double));
	if (seed % 3 == 0)
		wm_weights_heuristic(trial->cfg, trial->weight);
	for (uint32_t e = 0; seed % 3 != 0 && e < trial->cfg->edge_count; e++)
		trial->weight[e] = random_below(&trial->random, seed % 3 == 1 ? 100 : 4);
}

static struct wm_plan plan_for(struct trial *trial, enum wm_problem problem, bool exhaustive)
{
	struct wm_error error = {""};
	struct wm_plan plan = {0};
	struct wm_plan_request request = {.problem = problem, .weight = trial->weight};
	int status = (exhaustive ? wm_exhaustive_plan : wm_plan_make)(
		&trial->arena, trial->cfg, &request, &plan, &error);
	assert_string_equal(error.text, "");
	assert_int_equal(status, 0);
	return plan;
}

static void check_walk(struct trial *trial, const struct wm_plan *plan)
{
	const struct wm_cfg *cfg = trial->cfg;
	struct walk_counts real = random_walk(&trial->arena, &trial->random, cfg);
	uint64_t *counter = wm_arena_alloc(&trial->arena, plan->probe_count, sizeof *counter);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		counter[k] = (plan->probes[k].kind == WM_PROBE_EDGE
				      ? real.edge
				      : real.vertex)[plan->probes[k].index];

	struct wm_error error;
	struct wm_counts counts;
	assert_int_equal(wm_propagate(&trial->arena, cfg, plan->probes, plan->probe_count, counter,
				 real.left_early, &counts, &error),
		0);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (v != cfg->exit || counts.exit_known)
			assert_int_equal(counts.vertex[v], real.vertex[v]);
	if (plan->problem == WM_PROBLEM_EDGES || plan->problem == WM_PROBLEM_REDUNDANT_EDGES)
		assert_true(counts.edges_known && counts.exit_known);
	if (plan->problem == WM_PROBLEM_BLOCKS)
		assert_true(counts.exit_known);
	for (uint32_t e = 0; counts.edges_known && e <= cfg->edge_count; e++)
		assert_int_equal(counts.edge[e], real.edge[e]);
}

static void every_placement_recovers_random_walks(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		for (int problem = 0; problem < PROBLEMS; problem++) {
			struct wm_plan plan = plan_for(&trial, problem, false);
			check_walk(&trial, &plan);
			check_walk(&trial, &plan);
		}
		wm_arena_reset(&trial.arena);
	}
}

static uint64_t probes_as_bits(const struct wm_plan *plan, enum wm_probe_kind kind)
{
	uint64_t bits = 0;
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (plan->probes[k].kind == kind)
			bits |= UINT64_C(1) << plan->probes[k].index;
	return bits;
}

static enum wanted wanted_by(enum wm_problem problem)
{
	return problem == WM_PROBLEM_EDGES    ? WANT_EDGES
	       : problem == WM_PROBLEM_BLOCKS ? WANT_VERTICES
					      : WANT_VERTICES_BUT_EXIT;
}

static void every_placement_determines_what_it_must(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		for (int problem = 0; problem < PROBLEMS; problem++) {
			struct wm_plan plan = plan_for(&trial, problem, false);
			assert_true(determined(trial.cfg, probes_as_bits(&plan, WM_PROBE_EDGE),
				probes_as_bits(&plan, WM_PROBE_VERTEX), wanted_by(problem)));
		}
		wm_arena_reset(&trial.arena);
	}
}

static uint32_t pieces_of(const struct wm_cfg *cfg)
{
	uint32_t piece[MAX_VERTICES];
	uint32_t pieces = cfg->vertex_count;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		piece[v] = v;
	for (uint32_t e = 0; e <= cfg->edge_count; e++) {
		uint32_t old = piece[cfg->source[e]];
		uint32_t new = piece[cfg->target[e]];
		pieces -= old != new;
		for (uint32_t v = 0; v < cfg->vertex_count; v++)
			if (piece[v] == old)
				piece[v] = new;
	}
	return pieces;
}

static void edges_uses_the_fewest_counters(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		const struct wm_cfg *cfg = trial.cfg;
		struct wm_plan plan = plan_for(&trial, WM_PROBLEM_EDGES, false);
		assert_int_equal(
			plan.probe_count, cfg->edge_count + 1 - cfg->vertex_count + pieces_of(cfg));
		wm_arena_reset(&trial.arena);
	}
}

struct brute_force {
	const struct wm_cfg *cfg;
	enum wm_problem problem;
	uint32_t places;
	double weight[32];
	double bound; /* is anything cheaper than this enough? */
};

/* Tries every set of counters that is cheaper than the bound; `counted` holds the decided places
 * below `place` and all the undecided ones. */
static bool is_cheaper_possible(
	const struct brute_force *force, uint32_t place, uint64_t counted, double cost)
{
	if (cost >= force->bound - 1e-9)
		return false;
	bool on_vertices = force->problem == WM_PROBLEM_BLOCKS_VERTEX;
	if (!determined(force->cfg, on_vertices ? 0 : counted, on_vertices ? counted : 0,
		    wanted_by(force->problem)))
		return false;
	if (place == force->places)
		return true;
	return is_cheaper_possible(force, place + 1, counted & ~(UINT64_C(1) << place), cost) ||
	       is_cheaper_possible(force, place + 1, counted, cost + force->weight[place]);
}

static bool is_optimal(struct trial *trial, const struct wm_plan *plan)
{
	const struct wm_cfg *cfg = trial->cfg;
	bool on_vertices = plan->problem == WM_PROBLEM_BLOCKS_VERTEX;
	struct brute_force force = {
		.cfg = cfg,
		.problem = plan->problem,
		.places = on_vertices ? cfg->vertex_count : cfg->edge_count,
		.bound = plan->cost,
	};
	for (uint32_t i = 0; i < force.places; i++)
		force.weight[i] = on_vertices ? wm_plan_vertex_weight(cfg, trial->weight, i)
					      : trial->weight[i];
	uint64_t all = (UINT64_C(1) << force.places) - 1;
	if (on_vertices)
		all &= ~(UINT64_C(1) << cfg->exit);
	return !is_cheaper_possible(&force, 0, all, 0);
}

static void nothing_cheaper_than_edges_and_blocks_vertex_is_enough(void **state)
{
	(void)state;
	uint32_t tried = 0;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		if (trial.cfg->edge_count <= BRUTE_FORCE_EDGES) {
			struct wm_plan edges = plan_for(&trial, WM_PROBLEM_EDGES, false);
			struct wm_plan vertices = plan_for(&trial, WM_PROBLEM_BLOCKS_VERTEX, false);
			assert_true(is_optimal(&trial, &edges));
			assert_true(is_optimal(&trial, &vertices));
			tried++;
		}
		wm_arena_reset(&trial.arena);
	}
	print_message("tried all cheaper sets on %u graphs\n", tried);
	assert_true(tried >= GRAPHS / 3);
}

static void blocks_costs_at_most_edges_and_its_optimum_is_found(void **state)
{
	(void)state;
	uint32_t tried = 0;
	uint32_t optimal = 0;
	uint32_t cheaper = 0;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		struct wm_plan edges = plan_for(&trial, WM_PROBLEM_EDGES, false);
		struct wm_plan blocks = plan_for(&trial, WM_PROBLEM_BLOCKS, false);
		assert_true(blocks.cost <= edges.cost);
		assert_true(blocks.probe_count <= edges.probe_count);
		if (trial.cfg->edge_count <= BRUTE_FORCE_EDGES) {
			struct wm_plan best = plan_for(&trial, WM_PROBLEM_BLOCKS, true);
			check_walk(&trial, &best);
			assert_true(best.cost <= blocks.cost);
			assert_true(is_optimal(&trial, &best));
			tried++;
			optimal += best.cost == blocks.cost;
			cheaper += best.cost < edges.cost;
		}
		wm_arena_reset(&trial.arena);
	}
	print_message("heuristic blocks is the optimum on %u of %u graphs (%.2f%%); "
		      "the optimum is cheaper than edges on %u\n",
		optimal, tried, 100.0 * optimal / tried, cheaper);
	assert_true(optimal > tried * 9 / 10);
}

static void uncountable_edges_are_avoided_or_refused(void **state)
{
	(void)state;
	uint32_t refused = 0;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		const struct wm_cfg *cfg = trial.cfg;
		bool uncountable[64] = {false};
		uint64_t countable = 0;
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			uncountable[e] = random_below(&trial.random, 4) == 0;
			countable |= (uint64_t)!uncountable[e] << e;
		}
		for (int problem = 0; problem < PROBLEMS; problem++) {
			struct wm_error error;
			struct wm_plan plan;
			struct wm_plan_request request = {.problem = problem,
				.weight = trial.weight,
				.uncountable = uncountable};
			int status = wm_plan_make(&trial.arena, cfg, &request, &plan, &error);
			bool on_edges = problem == WM_PROBLEM_EDGES || problem == WM_PROBLEM_BLOCKS;
			if (on_edges)
				assert_int_equal(
					status == 0, determined(cfg, countable, 0, WANT_EDGES));
			if (status == 0) {
				assert_false(probes_as_bits(&plan, WM_PROBE_EDGE) & ~countable);
				check_walk(&trial, &plan);
			} else {
				assert_int_equal(status, WM_ERROR_UNSOLVABLE);
				refused++;
			}
		}
		wm_arena_reset(&trial.arena);
	}
	assert_true(refused > 0);
}

/* Counters in vertices beside those on edges: all subsets are tried where there are few places. */
static bool is_cheaper_mix_possible(
	const struct trial *trial, const double *vertex_weight, double bound)
{
	const struct wm_cfg *cfg = trial->cfg;
	uint32_t places = cfg->edge_count + cfg->vertex_count;
	for (uint64_t set = 0; set < UINT64_C(1) << places; set++) {
		uint64_t edges = set & ((UINT64_C(1) << cfg->edge_count) - 1);
		uint64_t vertices = set >> cfg->edge_count;
		double cost = 0;
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			cost += edges >> e & 1 ? trial->weight[e] : 0;
		for (uint32_t v = 0; v < cfg->vertex_count; v++)
			cost += vertices >> v & 1 ? vertex_weight[v] : 0;
		if (cost < bound - 1e-9 && !(vertices >> cfg->exit & 1) &&
			determined(cfg, edges, vertices, WANT_EDGES))
			return true;
	}
	return false;
}

static void vertices_may_stand_in_for_edges_where_that_is_cheaper(void **state)
{
	(void)state;
	uint32_t tried = 0;
	uint32_t with_vertices = 0;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct trial trial = {.cfg = NULL};
		start_trial(&trial, seed);
		const struct wm_cfg *cfg = trial.cfg;
		double vertex_weight[MAX_VERTICES];
		for (uint32_t v = 0; v < cfg->vertex_count; v++)
			vertex_weight[v] = random_below(&trial.random, 20);
		struct wm_plan plan;
		struct wm_error error;
		struct wm_plan_request request = {.problem = WM_PROBLEM_EDGES,
			.weight = trial.weight,
			.vertex_weight = vertex_weight};
		assert_int_equal(wm_plan_make(&trial.arena, cfg, &request, &plan, &error), 0);
		assert_true(plan.cost <= plan_for(&trial, WM_PROBLEM_EDGES, false).cost + 1e-9);
		uint64_t vertices = probes_as_bits(&plan, WM_PROBE_VERTEX);
		assert_false(vertices >> cfg->exit & 1);
		assert_true(determined(
			cfg, probes_as_bits(&plan, WM_PROBE_EDGE), vertices, WANT_EDGES));
		check_walk(&trial, &plan);
		with_vertices += vertices != 0;
		if (cfg->edge_count + cfg->vertex_count <= 11) {
			assert_false(is_cheaper_mix_possible(&trial, vertex_weight, plan.cost));
			tried++;
		}
		wm_arena_reset(&trial.arena);
	}
	assert_true(with_vertices > GRAPHS / 10 && tried > GRAPHS / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_placement_recovers_random_walks),
		cmocka_unit_test(every_placement_determines_what_it_must),
		cmocka_unit_test(edges_uses_the_fewest_counters),
		cmocka_unit_test(nothing_cheaper_than_edges_and_blocks_vertex_is_enough),
		cmocka_unit_test(blocks_costs_at_most_edges_and_its_optimum_is_found),
		cmocka_unit_test(uncountable_edges_are_avoided_or_refused),
		cmocka_unit_test(vertices_may_stand_in_for_edges_where_that_is_cheaper),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
