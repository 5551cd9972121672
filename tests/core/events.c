/* Running sums of events on random graphs: exact at every anchor without any addition, and
 * everywhere with the potential, whatever is entered, left early or called meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/counters/events.h"
#include "core/counters/plan.h"
#include "support/random_graph.h"

enum { MAX_VERTICES = 9, KINDS = 3, GRAPHS = 3000, WALKS = 8, MAX_DEPTH = 3 };

struct example {
	struct wm_arena arena;
	struct random_source *source;
	struct wm_cfg *function;
	uint32_t *anchor_count;
	bool *at_end;
	struct wm_anchored_graph *anchored;
	double *edge_weight;
	double *vertex_weight;
	double calls;
	uint64_t *value[KINDS];
	struct wm_events_request request;
	struct wm_events_plan plan;
	uint64_t sum[KINDS];   /* what the probes have counted */
	uint64_t truth[KINDS]; /* what has happened */
	uint64_t queries;
};

/* A vertex that its last anchor ends has out-edges as those of an invoke, or none. */
static void draw_anchors(struct example *example)
{
	for (uint32_t v = 0; v < example->function->vertex_count; v++) {
		if (v == example->function->exit || random_below(example->source, 2))
			continue;
		example->anchor_count[v] = random_below(example->source, 4);
		example->at_end[v] = example->anchor_count[v] && !random_below(example->source, 4);
	}
}

/* Kind 0 has events on every edge; the others often have none. */
static void draw_values(struct example *example)
{
	const struct wm_anchored_graph *anchored = example->anchored;
	for (uint32_t e = 0; e < anchored->graph->edge_count; e++) {
		bool segment = anchored->edge[e].part == WM_ANCHORED_SEGMENT;
		example->value[0][e] = 1 + random_below(example->source, 1u << 31);
		example->value[1][e] = segment ? random_below(example->source, 7) : 0;
		example->value[2][e] = segment ? !random_below(example->source, 5) : 0;
	}
}

static void draw_weights(struct example *example)
{
	const struct wm_cfg *function = example->function;
	for (uint32_t e = 0; e < function->edge_count; e++)
		example->edge_weight[e] = random_below(example->source, 20);
	for (uint32_t v = 0; v < function->vertex_count; v++)
		example->vertex_weight[v] =
			wm_plan_vertex_weight(function, example->edge_weight, v);
	example->calls = random_below(example->source, 5);
}

static void draw_example(struct example *example, struct random_source *source, bool redundant)
{
	struct wm_error error = {""};
	*example = (struct example){.source = source};
	example->function = random_graph(&example->arena, source, MAX_VERTICES);
	uint32_t vertices = example->function->vertex_count;
	example->anchor_count = wm_arena_alloc(&example->arena, vertices, sizeof(uint32_t));
	example->at_end = wm_arena_alloc(&example->arena, vertices, sizeof(bool));
	draw_anchors(example);
	struct wm_anchors anchors = {example->anchor_count, example->at_end};
	example->anchored = wm_anchored_graph_build(&example->arena, example->function, &anchors);
	for (int k = 0; k < KINDS; k++)
		example->value[k] = wm_arena_alloc(
			&example->arena, example->anchored->graph->edge_count, sizeof(uint64_t));
	example->edge_weight =
		wm_arena_alloc(&example->arena, example->function->edge_count, sizeof(double));
	example->vertex_weight = wm_arena_alloc(&example->arena, vertices, sizeof(double));
	draw_values(example);
	draw_weights(example);
	example->request = (struct wm_events_request){.anchored = example->anchored,
		.kind_count = KINDS,
		.value = (const uint64_t *const *)example->value,
		.weight = wm_anchored_weights(&example->arena, example->anchored,
			example->edge_weight, example->vertex_weight, example->calls),
		.redundant = redundant};
	wm_events_plan_make(&example->arena, &example->request, &example->plan, &error);
	assert_string_equal(error.text, "");
}

static void pass(struct example *example, uint32_t edge)
{
	for (int k = 0; k < KINDS; k++) {
		example->sum[k] += example->plan.increment[k][edge];
		example->truth[k] += example->value[k][edge];
	}
}

static void query(struct example *example, uint32_t vertex)
{
	for (int k = 0; k < KINDS; k++) {
		uint64_t off = example->truth[k] - example->sum[k];
		assert_int_equal(example->plan.potential[k][vertex], off);
		uint64_t distance = (int64_t)off < 0 ? -off : off;
		assert_true(distance <= wm_events_bound(&example->request, &example->plan, k));
	}
	example->queries++;
}

static void query_at_anchor(struct example *example)
{
	for (int k = 0; k < KINDS; k++)
		assert_int_equal(example->sum[k], example->truth[k]);
	example->queries++;
}

static void walk(struct example *example, uint32_t depth);

/* False if the function was left in the call. */
static bool call(struct example *example, uint32_t depth)
{
	query_at_anchor(example);
	if (depth < MAX_DEPTH && !random_below(example->source, 3))
		walk(example, depth + 1);
	query_at_anchor(example);
	return random_below(example->source, 12) != 0;
}

static bool pass_vertex(struct example *example, uint32_t vertex, uint32_t depth)
{
	const uint32_t *first = example->anchored->first_segment;
	for (uint32_t e = first[vertex]; e < first[vertex + 1]; e++) {
		uint32_t anchor = e - first[vertex];
		pass(example, e);
		if (anchor < example->anchor_count[vertex] && !call(example, depth))
			return false;
	}
	return true;
}

/* Starts at the entry, or where an edge from EXIT leads. Ends at EXIT, in a call, or in the middle
 * of a vertex that the walk goes no further from; whoever goes on then makes no query before an
 * anchor. */
static void walk(struct example *example, uint32_t depth)
{
	const struct wm_cfg *function = example->function;
	uint32_t v = function->entry, steps = random_below(example->source, 30);
	pass(example, 0);
	for (;;) {
		uint32_t departure = wm_anchored_departure(function, v);
		if (!example->at_end[v])
			query(example, v == function->exit ? departure : wm_anchored_arrival(v));
		if (!pass_vertex(example, v, depth))
			return;
		if (!example->at_end[v])
			query(example, departure);
		uint32_t choices = function->out_start[v + 1] - function->out_start[v];
		uint32_t place = function->out_start[v] + random_below(example->source, choices);
		if (v == function->exit && (!steps || place == function->out_start[v + 1]))
			return;
		if (!choices || !steps)
			break;
		uint32_t e = function->out_edge[place];
		steps--;
		if (e == wm_cfg_closing_edge(function))
			return;
		pass(example, 1 + e);
		v = function->target[e];
	}
	/* What is owed there stays owed: this is the end of the program. */
	for (int k = 0; k < KINDS; k++)
		example->sum[k] = example->truth[k];
}

static void check_graphs(bool redundant)
{
	struct random_source source = random_from_seed(31 + redundant);
	uint64_t queries = 0;
	for (int i = 0; i < GRAPHS; i++) {
		struct example example;
		draw_example(&example, &source, redundant);
		for (int j = 0; j < WALKS; j++)
			walk(&example, 0);
		queries += example.queries;
		wm_arena_reset(&example.arena);
	}
	print_message("%llu queries\n", (unsigned long long)queries);
	assert_true(queries > 100 * GRAPHS);
}

static void sums_are_exact_at_anchors_and_by_potential_elsewhere(void **state)
{
	(void)state;
	check_graphs(false);
}

static void redundant_sums_are_exact_everywhere(void **state)
{
	(void)state;
	check_graphs(true);
}

static void cost_is_that_of_edges_and_further_anchors(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(7);
	for (int i = 0; i < GRAPHS; i++) {
		struct example example;
		struct wm_error error = {""};
		double predicted;
		draw_example(&example, &source, false);
		wm_events_cost_by_edges(example.function, example.anchor_count, example.edge_weight,
			example.vertex_weight, example.calls, &predicted, &error);
		assert_string_equal(error.text, "");
		assert_true(example.plan.cost == predicted);
		wm_arena_reset(&example.arena);
	}
}

/* Two edges side by side need no increments where only their ends have events. */
static void increments_of_zero_are_dropped(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error = {""};
	const uint32_t from[] = {0, 0, 1}, to[] = {1, 1, 2}, none[] = {0, 0, 0};
	const uint64_t events[] = {0, 0, 0, 0, 4, 5}, *value[] = {events};
	const double weight[] = {1, 1, 1, 1, 1, 1};
	struct wm_anchors anchors = {.count = none};
	struct wm_events_plan plan;
	struct wm_cfg *function = wm_cfg_build(&arena, 3, 3, from, to, 0, 2);
	struct wm_events_request request = {
		.anchored = wm_anchored_graph_build(&arena, function, &anchors),
		.kind_count = 1,
		.value = value,
		.weight = weight};
	assert_int_equal(wm_events_plan_make(&arena, &request, &plan, &error), 0);
	assert_int_equal(plan.probe_count, 1);
	assert_true(plan.cost == 1);
	wm_arena_reset(&arena);
}

static void what_cannot_be_counted_is_avoided_or_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error = {""};
	const uint32_t from[] = {0, 0, 1}, to[] = {1, 1, 2}, none[] = {0, 0, 0};
	const uint64_t events[] = {0, 0, 3, 0, 4, 5}, *value[] = {events};
	const double weight[] = {1, 1, 1, 1, 1, 1};
	const bool one[] = {false, false, true, false, false, false},
		   both[] = {false, true, true, false, false, false};
	struct wm_anchors anchors = {.count = none};
	struct wm_events_plan plan;
	struct wm_cfg *function = wm_cfg_build(&arena, 3, 3, from, to, 0, 2);
	struct wm_events_request request = {
		.anchored = wm_anchored_graph_build(&arena, function, &anchors),
		.kind_count = 1,
		.value = value,
		.weight = weight,
		.uncountable = one};
	assert_int_equal(wm_events_plan_make(&arena, &request, &plan, &error), 0);
	assert_int_equal(plan.increment[0][2], 0);
	assert_int_equal(plan.increment[0][1], -3);
	request.redundant = true;
	assert_int_equal(wm_events_plan_make(&arena, &request, &plan, &error), WM_ERROR_UNSOLVABLE);
	request.redundant = false;
	request.uncountable = both;
	assert_int_equal(wm_events_plan_make(&arena, &request, &plan, &error), WM_ERROR_UNSOLVABLE);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_exact_at_anchors_and_by_potential_elsewhere),
		cmocka_unit_test(redundant_sums_are_exact_everywhere),
		cmocka_unit_test(cost_is_that_of_edges_and_further_anchors),
		cmocka_unit_test(increments_of_zero_are_dropped),
		cmocka_unit_test(what_cannot_be_counted_is_avoided_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
