/* Two vertices are in one component if and only if each reaches the other, in random graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/graph/components.h"
#include "support/random_graph.h"

enum { ROUNDS = 3000, MAX_VERTICES = 12, MAX_EDGES = 30 };

struct graph {
	uint32_t vertices, edges;
	uint32_t source[MAX_EDGES], target[MAX_EDGES];
	bool reaches[MAX_VERTICES][MAX_VERTICES];
};

static struct graph draw(struct random_source *source)
{
	struct graph graph = {.vertices = 1 + random_below(source, MAX_VERTICES)};
	graph.edges = random_below(source, 3 * graph.vertices);
	graph.edges = graph.edges < MAX_EDGES ? graph.edges : MAX_EDGES;
	for (uint32_t e = 0; e < graph.edges; e++) {
		graph.source[e] = random_below(source, graph.vertices);
		graph.target[e] = random_below(source, graph.vertices);
		graph.reaches[graph.source[e]][graph.target[e]] = true;
	}
	for (uint32_t v = 0; v < graph.vertices; v++)
		graph.reaches[v][v] = true;
	return graph;
}

/* Warshall's closure. */
static void close_graph(struct graph *graph)
{
	for (uint32_t via = 0; via < graph->vertices; via++)
		for (uint32_t a = 0; a < graph->vertices; a++)
			for (uint32_t b = 0; b < graph->vertices; b++)
				graph->reaches[a][b] |=
					graph->reaches[a][via] && graph->reaches[via][b];
}

static void components_are_those_of_the_closure(void **state)
{
	struct random_source source = random_from_seed(5);
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct wm_arena arena = {0};
		struct graph graph = draw(&source);
		uint32_t count;
		const uint32_t *component = wm_components_find(
			&arena, graph.vertices, graph.edges, graph.source, graph.target, &count);
		close_graph(&graph);
		for (uint32_t a = 0; a < graph.vertices; a++)
			for (uint32_t b = 0; b < graph.vertices; b++)
				assert_int_equal(component[a] == component[b],
					graph.reaches[a][b] && graph.reaches[b][a]);
		for (uint32_t e = 0; e < graph.edges; e++)
			assert_true(component[graph.target[e]] <= component[graph.source[e]]);
		for (uint32_t v = 0; v < graph.vertices; v++)
			assert_true(component[v] < count);
		wm_arena_reset(&arena);
	}
}

static void a_long_circle_needs_no_stack(void **state)
{
	enum { LONG = 1000000 };
	struct wm_arena arena = {0};
	uint32_t *source = wm_arena_alloc(&arena, LONG, sizeof *source);
	uint32_t *target = wm_arena_alloc(&arena, LONG, sizeof *target);
	uint32_t count;
	(void)state;
	for (uint32_t e = 0; e < LONG; e++) {
		source[e] = e;
		target[e] = (e + 1) % LONG;
	}
	const uint32_t *component = wm_components_find(&arena, LONG, LONG, source, target, &count);
	for (uint32_t v = 0; v < LONG; v++)
		assert_int_equal(component[v], component[0]);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(components_are_those_of_the_closure),
		cmocka_unit_test(a_long_circle_needs_no_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
