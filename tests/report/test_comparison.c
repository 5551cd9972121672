/* Increments of other placements: by hand, against the paper's figure 4, and on random graphs with
 * random walks against all sets of counters that linear algebra says are enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/graph/cfg.h"
#include "report/comparison.h"
#include "support/determined.h"
#include "support/random_graph.h"

enum { MAX_EDGES = 64, RANDOM_GRAPHS = 3000 };

/* A measured function with its arrays. */
struct sample {
	struct wm_function function;
	uint32_t source[MAX_EDGES], target[MAX_EDGES];
	uint8_t flags[MAX_EDGES];
	uint64_t edge[MAX_EDGES], block[MAX_EDGES];
};

static void add_edge(
	struct sample *sample, uint32_t source, uint32_t target, uint8_t flags, uint64_t count)
{
	uint32_t e = sample->function.edge_count++;
	assert_true(e < MAX_EDGES);
	sample->source[e] = source;
	sample->target[e] = target;
	sample->flags[e] = flags;
	sample->edge[e] = count;
}

static void begin_sample(struct sample *sample, uint32_t block_count)
{
	memset(sample, 0, sizeof *sample);
	sample->function.name = "sample";
	sample->function.block_count = block_count;
}

static int compare(struct sample *sample, bool edges_known, struct wm_comparison *result,
	struct wm_error *error)
{
	sample->function.edge_source = sample->source;
	sample->function.edge_target = sample->target;
	sample->function.edge_flags = sample->flags;
	struct wm_profile_function measured = {.function = &sample->function,
		.block = sample->block,
		.edge = edges_known ? sample->edge : NULL};
	/* A block runs as often as its edges leave it. */
	for (uint32_t e = 0; e < sample->function.edge_count; e++)
		if (sample->source[e] < sample->function.block_count)
			sample->block[sample->source[e]] += sample->edge[e];
	for (uint32_t v = 0; v < sample->function.block_count; v++)
		measured.block_entries += sample->block[v];
	const struct wm_profile profile = {
		.file = {.path = "a.wmk"}, .function_count = 1, .functions = &measured};
	return wm_comparison_make(&profile, result, error);
}

static struct wm_comparison compare_known(struct sample *sample)
{
	struct wm_comparison result;
	struct wm_error error;
	if (compare(sample, true, &result, &error) != 0)
		fail_msg("%s", error.text);
	return result;
}

/* Of the placements that count edges, by the weights of which the true ones are best. */
static void assert_ordered(const struct wm_comparison *result)
{
	for (unsigned i = 0; i <= WM_COMPARED_GOLDBERG_MAXIMUM; i++) {
		assert_true(result->increments[WM_COMPARED_EXACT_MAXIMUM] <= result->increments[i]);
		assert_true(result->increments[WM_COMPARED_EXACT_MINIMUM] >= result->increments[i]);
	}
}

/* One branch, taken 90 times to the left and 10 times to the right. Two counters are needed. The
 * guess: all four sides 0.5, the way out 1. */
static void make_branch(struct sample *sample)
{
	begin_sample(sample, 4);
	add_edge(sample, 0, 1, 0, 90);
	add_edge(sample, 0, 2, 0, 10);
	add_edge(sample, 1, 3, 0, 90);
	add_edge(sample, 2, 3, 0, 10);
	add_edge(sample, 3, 4, 0, 100);
}

static void test_branch_worked_out_by_hand(void **state)
{
	(void)state;
	struct sample sample;
	make_branch(&sample);
	struct wm_comparison result = compare_known(&sample);
	assert_int_equal(result.functions, 1);
	assert_int_equal(result.left_out, 0);
	assert_int_equal(result.redundant, 100 + 90 + 10 + 100);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MAXIMUM], 90 + 10);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MINIMUM], 100 + 90);
	/* Of equal edges the earlier ones join the tree. */
	assert_int_equal(result.increments[WM_COMPARED_HEURISTIC_MAXIMUM], 90 + 10);
	assert_int_equal(result.increments[WM_COMPARED_HEURISTIC_MINIMUM], 10 + 100);
}

static void test_uncountable_edges_carry_no_counter(void **state)
{
	(void)state;
	struct sample sample;
	make_branch(&sample);
	sample.flags[1] = sample.flags[3] = WM_EDGE_UNCOUNTABLE;
	/* What is left to count: the left side and the way out. */
	struct wm_comparison result = compare_known(&sample);
	for (unsigned i = 0; i <= WM_COMPARED_GOLDBERG_MAXIMUM; i++)
		assert_int_equal(result.increments[i], 90 + 100);
	/* Counters in the two sides tell all blocks. */
	assert_int_equal(result.increments[WM_COMPARED_BLOCKS_VERTEX], 90 + 10);
}

static void test_blocks_help_where_edges_do_not_suffice(void **state)
{
	(void)state;
	struct sample sample;
	make_branch(&sample);
	for (uint32_t e = 0; e < sample.function.edge_count; e++)
		sample.flags[e] = WM_EDGE_UNCOUNTABLE;
	/* Two blocks, any but the first and the last together: these always agree. */
	struct wm_comparison result = compare_known(&sample);
	assert_int_equal(result.functions, 1);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MAXIMUM], 90 + 10);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MINIMUM], 100 + 90);
	/* Parallel edges differ only by counters of their own. */
	begin_sample(&sample, 2);
	add_edge(&sample, 0, 1, WM_EDGE_UNCOUNTABLE, 1);
	add_edge(&sample, 0, 1, WM_EDGE_UNCOUNTABLE, 2);
	add_edge(&sample, 1, 2, 0, 3);
	result = compare_known(&sample);
	assert_int_equal(result.functions, 0);
	assert_int_equal(result.left_out, 1);
	assert_int_equal(result.redundant, 0);
}

static void test_edges_of_abandoned_calls_are_left_out(void **state)
{
	(void)state;
	struct sample sample;
	make_branch(&sample);
	for (uint32_t v = 0; v < 4; v++)
		add_edge(&sample, v, 4, WM_EDGE_UNCOUNTABLE | WM_EDGE_ABANDONED, 0);
	struct wm_comparison result = compare_known(&sample);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MAXIMUM], 90 + 10);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MINIMUM], 100 + 90);
}

/* The graph and its weights are in tests/vectors/bl94-fig4.dot: 62 with edge counters, and 189 is
 * the sum over its vertices. */
static void test_figure_4_of_the_paper(void **state)
{
	(void)state;
	enum { a, b, c, d, e, f, g, h, EXIT };
	static const uint32_t edges[][3] = {{a, b, 3}, {a, f, 3}, {b, c, 43}, {b, e, 10},
		{c, d, 22}, {c, e, 21}, {d, e, 22}, {e, b, 50}, {e, f, 3}, {f, g, 3}, {f, h, 3},
		{g, EXIT, 3}, {h, EXIT, 3}};
	struct sample sample;
	begin_sample(&sample, EXIT);
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
		add_edge(&sample, edges[i][0], edges[i][1], 0, edges[i][2]);
	struct wm_comparison result = compare_known(&sample);
	assert_int_equal(result.redundant, 189);
	assert_int_equal(result.increments[WM_COMPARED_EXACT_MAXIMUM], 62);
	assert_ordered(&result);
}

struct bounds {
	bool any;
	uint64_t least, most;
};

static uint64_t cost_of(const struct walk_counts *walk, uint64_t edges)
{
	uint64_t cost = 0;
	for (uint32_t e = 0; edges >> e; e++)
		cost += edges >> e & 1 ? walk->edge[e] : 0;
	return cost;
}

/* The cheapest and the dearest set of countable edges that is enough and has none too many. */
static struct bounds search(
	const struct wm_cfg *cfg, const struct walk_counts *walk, uint64_t countable)
{
	struct bounds bounds = {.any = false};
	int fewest = MAX_EDGES;
	for (uint64_t edges = 0; edges < UINT64_C(1) << cfg->edge_count; edges++) {
		int size = __builtin_popcountll(edges);
		if (edges & ~countable || size > fewest || !determined(cfg, edges, 0, WANT_EDGES))
			continue;
		uint64_t cost = cost_of(walk, edges);
		if (size < fewest)
			bounds = (struct bounds){true, cost, cost};
		fewest = size;
		bounds.least = cost < bounds.least ? cost : bounds.least;
		bounds.most = cost > bounds.most ? cost : bounds.most;
	}
	return bounds;
}

static uint64_t sample_walk(struct sample *sample, struct random_source *source,
	const struct wm_cfg *cfg, const struct walk_counts *walk)
{
	uint64_t countable = 0;
	begin_sample(sample, cfg->exit);
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		bool fits = random_below(source, 6) > 0;
		add_edge(sample, cfg->source[e], cfg->target[e], fits ? 0 : WM_EDGE_UNCOUNTABLE,
			walk->edge[e]);
		countable |= (uint64_t)fits << e;
	}
	for (uint32_t v = 0; v < cfg->exit; v++)
		if (walk->left_early[v])
			add_edge(sample, v, cfg->exit, WM_EDGE_UNCOUNTABLE | WM_EDGE_ABANDONED,
				walk->left_early[v]);
	return countable;
}

static void test_random_walks_against_all_placements(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(24);
	uint32_t searched = 0, with_blocks = 0;
	for (int i = 0; i < RANDOM_GRAPHS; i++) {
		struct wm_arena arena = {0};
		struct sample sample;
		struct wm_cfg *cfg = random_graph(&arena, &source, 7);
		struct walk_counts walk = random_walk(&arena, &source, cfg);
		if (cfg->edge_count <= 10) {
			uint64_t countable = sample_walk(&sample, &source, cfg, &walk);
			struct wm_comparison result = compare_known(&sample);
			struct bounds bounds = search(cfg, &walk, countable);
			assert_ordered(&result);
			if (bounds.any && result.functions == 1) {
				assert_int_equal(
					result.increments[WM_COMPARED_EXACT_MAXIMUM], bounds.least);
				assert_int_equal(
					result.increments[WM_COMPARED_EXACT_MINIMUM], bounds.most);
				searched++;
			}
			with_blocks += !bounds.any && result.functions == 1;
		}
		wm_arena_reset(&arena);
	}
	assert_true(searched > 500);
	assert_true(with_blocks > 50);
}

static void test_unknown_edges_are_an_error(void **state)
{
	(void)state;
	struct sample sample;
	struct wm_comparison result;
	struct wm_error error;
	make_branch(&sample);
	assert_int_equal(compare(&sample, false, &result, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "a.wmk"));
	assert_non_null(strstr(error.text, "--profile=edges"));
	/* A function that never ran has nothing to compare. */
	memset(sample.edge, 0, sizeof sample.edge);
	memset(sample.block, 0, sizeof sample.block);
	assert_int_equal(compare(&sample, false, &result, &error), 0);
	assert_int_equal(result.functions, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branch_worked_out_by_hand),
		cmocka_unit_test(test_uncountable_edges_carry_no_counter),
		cmocka_unit_test(test_blocks_help_where_edges_do_not_suffice),
		cmocka_unit_test(test_edges_of_abandoned_calls_are_left_out),
		cmocka_unit_test(test_figure_4_of_the_paper),
		cmocka_unit_test(test_random_walks_against_all_placements),
		cmocka_unit_test(test_unknown_edges_are_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
