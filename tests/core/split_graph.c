/* The split graph and its order, against a graph that is built from its edges and searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/graph/split_graph.h"
#include "support/random_graph.h"

enum { GRAPHS = 10000, MAX_VERTICES = 12 };

/* The header word by word: arrival 2v, departure 2v + 1, edges in order, then those of vertices. */
static struct wm_cfg *build_by_definition(struct wm_arena *arena, const struct wm_cfg *function)
{
	uint32_t blocks = function->exit, edges = function->edge_count;
	uint32_t *source = wm_arena_alloc(arena, edges + blocks, sizeof *source);
	uint32_t *target = wm_arena_alloc(arena, edges + blocks, sizeof *target);
	for (uint32_t e = 0; e < edges; e++) {
		bool from_exit = function->source[e] == function->exit;
		source[e] = 2 * function->source[e] + (from_exit ? 0 : 1);
		target[e] = 2 * function->target[e];
	}
	for (uint32_t v = 0; v < blocks; v++) {
		source[edges + v] = 2 * v;
		target[edges + v] = 2 * v + 1;
	}
	return wm_cfg_build(arena, 2 * blocks + 1, edges + blocks, source, target,
		2 * function->entry, 2 * function->exit);
}

static void assert_same(const uint32_t *left, const uint32_t *right, uint32_t count)
{
	assert_memory_equal(left, right, count * sizeof *left);
}

static void split_graph_is_what_its_edges_make(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct wm_arena arena = {0};
		struct random_source random = random_from_seed(seed);
		const struct wm_cfg *function = random_graph(&arena, &random, MAX_VERTICES);
		const struct wm_cfg *split = wm_split_graph(&arena, function);
		const struct wm_cfg *expected = build_by_definition(&arena, function);
		uint32_t starts = expected->vertex_count + 1, edges = expected->edge_count + 1;
		assert_int_equal(split->vertex_count, expected->vertex_count);
		assert_int_equal(split->edge_count, expected->edge_count);
		assert_int_equal(split->entry, expected->entry);
		assert_int_equal(split->exit, expected->exit);
		assert_same(split->source, expected->source, edges);
		assert_same(split->target, expected->target, edges);
		assert_same(split->out_start, expected->out_start, starts);
		assert_same(split->out_edge, expected->out_edge, edges);
		assert_same(split->out_target, expected->out_target, edges);
		assert_same(split->in_start, expected->in_start, starts);
		assert_same(split->in_edge, expected->in_edge, edges);
		wm_arena_reset(&arena);
	}
}

static void split_order_is_what_a_search_finds(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct wm_arena arena = {0};
		struct random_source random = random_from_seed(seed);
		const struct wm_cfg *function = random_graph(&arena, &random, MAX_VERTICES);
		const struct wm_cfg *split = build_by_definition(&arena, function);
		struct wm_depth_first of_function = wm_depth_first_search(&arena, function);
		struct wm_depth_first expected = wm_depth_first_search(&arena, split);
		struct wm_flow_order order =
			wm_split_order(&arena, function, wm_depth_first_flow(&of_function));
		assert_same(order.postorder, expected.postorder, split->vertex_count);
		for (uint32_t e = 0; e <= split->edge_count; e++)
			assert_int_equal(order.back_edge[e], expected.back_edge[e]);
		wm_arena_reset(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_graph_is_what_its_edges_make),
		cmocka_unit_test(split_order_is_what_a_search_finds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
