/* Search order, dominators, loops and the heuristic weights, against their definitions taken word
 * by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>

#include <cmocka.h>

#include "core/graph/loops.h"
#include "core/graph/weights.h"
#include "support/dominators.h"
#include "support/random_graph.h"

enum { GRAPHS = 10000, MAX_VERTICES = 12, MAX_EDGES = 64 };

struct subject {
	struct wm_arena arena;
	struct wm_cfg *cfg;
	struct wm_depth_first order;
	struct wm_loops loops;
};

static void make_subject(struct subject *subject, uint64_t seed)
{
	struct random_source random = random_from_seed(seed);
	subject->cfg = random_graph(&subject->arena, &random, MAX_VERTICES);
	subject->order = wm_depth_first_search_meetings(&subject->arena, subject->cfg);
	subject->loops = wm_loops_find(&subject->arena, subject->cfg, &subject->order);
}

static bool is_below(const struct subject *subject, uint32_t v, uint32_t ancestor)
{
	while (v != WM_NONE && v != ancestor)
		v = subject->order.parent[v];
	return v == ancestor;
}

/* Spreads `reached` along the edges inside `allowed`, forwards or backwards. */
static uint32_t spread(const struct wm_cfg *cfg, uint32_t reached, uint32_t allowed, bool backwards)
{
	for (bool grown = true; grown;) {
		grown = false;
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			uint32_t from = backwards ? cfg->target[e] : cfg->source[e];
			uint32_t to = backwards ? cfg->source[e] : cfg->target[e];
			bool inside = cfg->source[e] != cfg->exit && reached >> from & 1 &&
				      allowed >> to & 1 && !(reached >> to & 1);
			reached |= (uint32_t)inside << to;
			grown |= inside;
		}
	}
	return reached;
}

static void search_order_is_what_it_promises(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct subject subject = {.cfg = NULL};
		make_subject(&subject, seed);
		const struct wm_cfg *cfg = subject.cfg;
		assert_int_equal(subject.order.preorder[0], cfg->entry);
		for (uint32_t v = 0; v < cfg->vertex_count; v++) {
			assert_int_equal(
				subject.order.preorder[subject.order.preorder_number[v]], v);
			assert_int_equal(
				subject.order.postorder[subject.order.postorder_number[v]], v);
		}
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			uint32_t source = cfg->source[e];
			uint32_t target = cfg->target[e];
			if (source == cfg->exit)
				continue;
			assert_int_equal(
				subject.order.back_edge[e], is_below(&subject, source, target));
			if (!subject.order.back_edge[e])
				assert_true(subject.order.postorder_number[source] >
					    subject.order.postorder_number[target]);
			uint32_t meeting = subject.order.meeting[e];
			if (meeting == WM_NONE)
				continue;
			assert_true(is_below(&subject, source, meeting));
			assert_true(is_below(&subject, target, meeting));
			for (uint32_t v = 0; v < cfg->vertex_count; v++)
				if (is_below(&subject, source, v) && is_below(&subject, target, v))
					assert_true(is_below(&subject, meeting, v));
		}
		wm_arena_reset(&subject.arena);
	}
}

static uint32_t roots_of(const struct subject *subject)
{
	const struct wm_cfg *cfg = subject->cfg;
	uint32_t roots = 0;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		roots |= (uint32_t)(subject->order.parent[v] == WM_NONE) << v;
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		if (cfg->source[e] == cfg->exit)
			roots |= UINT32_C(1) << cfg->target[e];
	return roots;
}

/* Without a, is b out of reach? */
static bool dominates(const struct subject *subject, uint32_t a, uint32_t b)
{
	uint32_t allowed = ~(UINT32_C(1) << a);
	return !(spread(subject->cfg, roots_of(subject) & allowed, allowed, false) >> b & 1);
}

static void dominators_are_what_cannot_be_avoided(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct subject subject = {.cfg = NULL};
		make_subject(&subject, seed);
		uint32_t *immediate =
			wm_dominators_find(&subject.arena, subject.cfg, &subject.order);
		for (uint32_t b = 0; b < subject.cfg->vertex_count; b++) {
			uint32_t listed = 0;
			for (uint32_t a = b; a != WM_NONE; a = immediate[a])
				listed |= UINT32_C(1) << a;
			for (uint32_t a = 0; a < subject.cfg->vertex_count; a++)
				assert_int_equal(listed >> a & 1, dominates(&subject, a, b));
		}
		wm_arena_reset(&subject.arena);
	}
}

static uint32_t loop_by_definition(const struct subject *subject, uint32_t entry)
{
	const struct wm_cfg *cfg = subject->cfg;
	uint32_t below = 0;
	uint32_t sources = 0;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (v != entry && is_below(subject, v, entry))
			below |= UINT32_C(1) << v;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (subject->order.back_edge[e] && cfg->target[e] == entry)
			sources |= UINT32_C(1) << cfg->source[e];
	return spread(cfg, sources & below, below, true) | UINT32_C(1) << entry;
}

static void loops_hold_what_their_definition_says(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct subject subject = {.cfg = NULL};
		make_subject(&subject, seed);
		for (uint32_t h = 0; h < subject.cfg->vertex_count; h++) {
			if (!subject.loops.place[h].is_entry)
				continue;
			uint32_t expected = loop_by_definition(&subject, h);
			for (uint32_t v = 0; v < subject.cfg->vertex_count; v++) {
				uint32_t start = subject.loops.place[v].start;
				bool inside = start >= subject.loops.place[h].start &&
					      start < subject.loops.place[h].end;
				assert_int_equal(inside, expected >> v & 1);
			}
		}
		wm_arena_reset(&subject.arena);
	}
}

static void edges_leave_the_largest_loop_without_their_target(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct subject subject = {.cfg = NULL};
		make_subject(&subject, seed);
		const struct wm_cfg *cfg = subject.cfg;
		const uint32_t *left = wm_loops_outermost_left(&subject.arena, cfg, &subject.loops);
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			uint32_t largest = 0, expected = WM_NONE;
			for (uint32_t h = 0; h < cfg->vertex_count; h++) {
				if (!subject.loops.place[h].is_entry)
					continue;
				uint32_t loop = loop_by_definition(&subject, h);
				if (!(loop >> cfg->source[e] & 1) || loop >> cfg->target[e] & 1)
					continue;
				/* Loops that hold the same vertex nest. */
				if ((loop & largest) == largest) {
					largest = loop;
					expected = h;
				}
			}
			assert_int_equal(left[e], expected);
		}
		wm_arena_reset(&subject.arena);
	}
}

/* The natural loop of the 1994 paper: everything from which a back edge's source is reached without
 * passing the entry. */
static uint32_t natural_loop(const struct subject *subject, uint32_t entry)
{
	const struct wm_cfg *cfg = subject->cfg;
	uint32_t allowed = ~(UINT32_C(1) << entry);
	uint32_t sources = 0;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (subject->order.back_edge[e] && cfg->target[e] == entry)
			sources |= UINT32_C(1) << cfg->source[e];
	return sources ? spread(cfg, sources & allowed, allowed, true) | UINT32_C(1) << entry : 0;
}

static bool is_reducible(const struct subject *subject)
{
	const struct wm_cfg *cfg = subject->cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (subject->order.back_edge[e] &&
			!dominates(subject, cfg->target[e], cfg->source[e]))
			return false;
	return true;
}

static bool leaves(const struct wm_cfg *cfg, uint32_t loop, uint32_t e)
{
	return cfg->source[e] != cfg->exit && loop >> cfg->source[e] & 1 &&
	       !(loop >> cfg->target[e] & 1);
}

/* Rules 1 to 3 of the paper's section 5, straight from the text, on loops as sets. */
static void weigh_by_the_text(const struct subject *subject, double *weight)
{
	const struct wm_cfg *cfg = subject->cfg;
	bool done[MAX_EDGES] = {false};
	bool exits[MAX_EDGES] = {false};
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			exits[e] |= leaves(cfg, natural_loop(subject, v), e);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (cfg->source[e] == cfg->exit)
			weight[e] = 1;
	for (uint32_t i = cfg->vertex_count; i-- > 0;) {
		uint32_t v = subject->order.postorder[i];
		uint32_t loop = natural_loop(subject, v);
		double vertex_weight = v == cfg->entry ? 1 : 0;
		uint32_t loop_exits = 0;
		uint32_t others = 0;
		if (v == cfg->exit)
			continue;
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			if (cfg->target[e] == v && !subject->order.back_edge[e])
				vertex_weight += weight[e];
			loop_exits += leaves(cfg, loop, e);
		}
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			if (leaves(cfg, loop, e) && !done[e]) {
				weight[e] = vertex_weight / loop_exits;
				done[e] = true;
			}
		double rest = loop ? 10 * vertex_weight : vertex_weight;
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			if (cfg->source[e] == v) {
				rest -= exits[e] ? weight[e] : 0;
				others += !exits[e];
			}
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			if (cfg->source[e] == v && !exits[e])
				weight[e] = fmax(rest, 0) / others;
	}
}

static void heuristic_weights_follow_the_text(void **state)
{
	(void)state;
	uint32_t reducible = 0;
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct subject subject = {.cfg = NULL};
		make_subject(&subject, seed);
		double weight[MAX_EDGES];
		double expected[MAX_EDGES] = {0};
		wm_weights_heuristic(subject.cfg, weight);
		for (uint32_t e = 0; e < subject.cfg->edge_count; e++)
			assert_true(weight[e] >= 0);
		if (is_reducible(&subject)) {
			reducible++;
			weigh_by_the_text(&subject, expected);
			for (uint32_t e = 0; e < subject.cfg->edge_count; e++)
				assert_true(fabs(weight[e] - expected[e]) <= 1e-9 * expected[e]);
		}
		wm_arena_reset(&subject.arena);
	}
	print_message("compared on %u reducible graphs\n", reducible);
	assert_true(reducible >= GRAPHS / 3);
}

/* while (..) { if (..) a; else b; if (..) break; }: every weight worked out by hand. */
static void heuristic_weights_of_a_loop_with_a_break(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	/* 0 entry, 1 loop entry, 2 test, 3 and 4 arms, 5 join with the break, 6 EXIT */
	uint32_t source[] = {0, 1, 1, 2, 2, 3, 4, 5, 5};
	uint32_t target[] = {1, 2, 6, 3, 4, 5, 5, 1, 6};
	double expected[] = {1, 9.5, 0.5, 4.75, 4.75, 4.75, 4.75, 9, 0.5};
	double weight[9];
	struct wm_cfg *cfg = wm_cfg_build(&arena, 7, 9, source, target, 0, 6);
	wm_weights_heuristic(cfg, weight);
	for (int e = 0; e < 9; e++)
		assert_true(fabs(weight[e] - expected[e]) < 1e-12);
	wm_arena_reset(&arena);
}

/* Postorder leaves EXIT first (1), then the latch 2 (2), the loop entry 1 (3), the entry 0 (4). */
static void goldberg_weighs_by_postorder_and_back_edges_most(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	uint32_t source[] = {0, 1, 2, 2};
	uint32_t target[] = {1, 2, 1, 3};
	double expected[] = {4, 3, 5, 2};
	double weight[4];
	struct wm_cfg *cfg = wm_cfg_build(&arena, 4, 4, source, target, 0, 3);
	wm_weights_goldberg(cfg, weight);
	for (int e = 0; e < 4; e++)
		assert_true(weight[e] == expected[e]);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_order_is_what_it_promises),
		cmocka_unit_test(dominators_are_what_cannot_be_avoided),
		cmocka_unit_test(loops_hold_what_their_definition_says),
		cmocka_unit_test(edges_leave_the_largest_loop_without_their_target),
		cmocka_unit_test(heuristic_weights_follow_the_text),
		cmocka_unit_test(heuristic_weights_of_a_loop_with_a_break),
		cmocka_unit_test(goldberg_weighs_by_postorder_and_back_edges_most),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
