/* Calling context trees: small ones known from the text, and random call trees against the
 * definition, which cuts loops out of whole chains and knows no records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/none.h"
#include "core/contexts/costs.h"
#include "support/call_tree.h"

enum { ROUNDS = 20000 };

struct chain {
	uint32_t length;
	uint32_t step[2 * MAX_CALLS]; /* site and function of each call */
};

/* The definition, word by word. */
static struct chain erase(const struct call_tree *tree, uint32_t call)
{
	struct chain chain = {0};
	uint32_t from_root[MAX_CALLS], depth = 0;
	for (uint32_t i = call; i != WM_NONE; i = tree->parent[i])
		from_root[depth++] = i;
	while (depth > 0) {
		uint32_t at = from_root[--depth], k = 0;
		while (k < chain.length && chain.step[k + 1] != tree->function[at])
			k += 2;
		if (k == chain.length) {
			chain.step[k] = tree->site[at];
			chain.step[k + 1] = tree->function[at];
		}
		chain.length = k + 2;
	}
	return chain;
}

static bool same_chain(const struct chain *a, const struct chain *b)
{
	return a->length == b->length && !memcmp(a->step, b->step, a->length * sizeof *a->step);
}

static void check_records(
	const struct call_tree *tree, const struct wm_contexts *contexts, const uint32_t *record)
{
	struct chain chains[MAX_CALLS];
	for (uint32_t i = 0; i < tree->count; i++) {
		chains[i] = erase(tree, i);
		assert_true(chains[i].length <= 2 * MAX_FUNCTIONS);
		for (uint32_t k = 0; k < i; k++)
			assert_int_equal(
				record[i] == record[k], same_chain(&chains[i], &chains[k]));
	}
	for (uint32_t i = 1; i < contexts->record_count; i++)
		assert_true(contexts->records[i].parent < i);
}

static void check_counts(
	const struct call_tree *tree, const struct wm_contexts *contexts, const uint32_t *record)
{
	for (uint32_t i = 0; i < contexts->link_count; i++) {
		const struct wm_context_link *link = &contexts->links[i];
		uint64_t expected = 0;
		for (uint32_t k = 0; k < tree->count; k++)
			expected += record[k] == link->target && tree->site[k] == link->site &&
				    link->source == (tree->parent[k] == WM_NONE
								    ? WM_CONTEXT_OUTSIDE
								    : record[tree->parent[k]]);
		assert_int_equal(link->count, expected);
	}
}

/* What was spent in the calls of each context, and in all that they called. */
static void check_lower_bounds(const struct call_tree *tree, const struct wm_contexts *contexts,
	const uint32_t *record, const uint64_t *cost)
{
	struct wm_arena arena = {0};
	const bool *is_lower_bound = wm_context_lower_bounds(&arena, contexts);
	for (uint32_t r = 1; r < contexts->record_count; r++) {
		uint64_t truth = 0;
		for (uint32_t i = 0; i < tree->count; i++) {
			uint32_t at = i;
			while (at != WM_NONE && record[at] != r)
				at = tree->parent[at];
			truth += at != WM_NONE;
		}
		assert_true(cost[r] <= truth);
		assert_int_equal(cost[r] < truth, is_lower_bound[r]);
	}
	wm_arena_reset(&arena);
}

/* Every call costs 1. The truth is what was spent while the function was active. */
static uint32_t check_sums(struct wm_arena *arena, const struct call_tree *tree,
	const struct wm_contexts *contexts, const uint32_t *record)
{
	const uint64_t *own = wm_contexts_entries(arena, contexts);
	const uint64_t *cost = wm_context_costs(arena, contexts, own);
	const struct wm_context_sum *sums = wm_context_sums(arena, contexts, own, MAX_FUNCTIONS);
	uint32_t marked = 0;
	assert_int_equal(cost[WM_CONTEXT_OUTSIDE], tree->count);
	check_lower_bounds(tree, contexts, record, cost);
	for (uint32_t f = 0; f < MAX_FUNCTIONS; f++) {
		uint64_t truth = 0;
		for (uint32_t i = 0; i < tree->count; i++)
			truth += is_active(tree, i, f);
		assert_true(sums[f].cost <= truth);
		assert_int_equal(sums[f].cost < truth, sums[f].is_lower_bound);
		marked += sums[f].is_lower_bound;
	}
	return marked;
}

static void random_trees(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(30);
	uint32_t record[MAX_CALLS], marked = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct wm_arena arena = {0};
		bool recursive = round % 2;
		struct call_tree tree = make_random_calls(&source, recursive);
		struct wm_contexts contexts = follow_calls(&arena, &tree, record);
		check_records(&tree, &contexts, record);
		check_counts(&tree, &contexts, record);
		uint32_t here = check_sums(&arena, &tree, &contexts, record);
		assert_true(recursive || !here);
		marked += here;
		wm_arena_reset(&arena);
	}
	assert_true(marked > 1000);
}

/* The record of a chain that leads down from outside, or WM_NONE; how often it was entered. */
static uint64_t entries_of(
	struct wm_arena *arena, const struct wm_contexts *contexts, const char *chain)
{
	uint32_t record = WM_CONTEXT_OUTSIDE;
	for (; *chain; chain++) {
		uint32_t child = record + 1;
		while (child < contexts->record_count &&
			(contexts->records[child].parent != record ||
				contexts->records[child].function != (uint32_t)(*chain - 'A')))
			child++;
		if (child == contexts->record_count)
			return 0;
		record = child;
	}
	return wm_contexts_entries(arena, contexts)[record];
}

struct expected {
	const char *chain;
	uint64_t entries;
};

static void check_tree(const char *text, uint32_t records, const struct expected *expected)
{
	struct wm_arena arena = {0};
	uint32_t record[MAX_CALLS];
	const struct call_tree tree = parse_calls(text);
	struct wm_contexts contexts = follow_calls(&arena, &tree, record);
	assert_int_equal(contexts.record_count - 1, records);
	for (; expected->chain; expected++)
		assert_int_equal(entries_of(&arena, &contexts, expected->chain), expected->entries);
	wm_arena_reset(&arena);
}

/* M is the program. C is called by A under two parents, but never in the chain M D A, though each
 * of its three calls is there. */
static void contexts_are_kept_apart(void **state)
{
	(void)state;
	check_tree("M(A(BC)D(CA(B))A(C))", 8,
		(const struct expected[]){{"M", 1}, {"MA", 2}, {"MAB", 1}, {"MAC", 2}, {"MD", 1},
			{"MDC", 1}, {"MDA", 1}, {"MDAB", 1}, {"MDAC", 0}, {NULL, 0}});
}

static void recursion_leads_back(void **state)
{
	(void)state;
	check_tree("M(A(B(A(C))C)D)", 5,
		(const struct expected[]){{"M", 1}, {"MA", 2}, {"MAB", 1}, {"MAC", 2}, {"MD", 1},
			{"MABA", 0}, {NULL, 0}});
	check_tree("M(A(B(A(D(B)))))", 5,
		(const struct expected[]){
			{"M", 1}, {"MA", 2}, {"MAB", 1}, {"MAD", 1}, {"MADB", 1}, {NULL, 0}});
}

/* B is active in four calls, of which the chain back to A hides two. */
static void sums_in_a_cycle_are_lower_bounds(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	uint32_t record[MAX_CALLS];
	const struct call_tree tree = parse_calls("M(A(B(A(D(B)))))");
	struct wm_contexts contexts = follow_calls(&arena, &tree, record);
	const struct wm_context_sum *sums = wm_context_sums(
		&arena, &contexts, wm_contexts_entries(&arena, &contexts), 'M' - 'A' + 1);
	static const struct {
		char function;
		uint64_t cost;
		bool is_lower_bound;
	} expected[] = {{'M', 6, false}, {'A', 5, false}, {'D', 2, false}, {'B', 2, true}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const struct wm_context_sum *sum = &sums[expected[i].function - 'A'];
		assert_int_equal(sum->cost, expected[i].cost);
		assert_int_equal(sum->is_lower_bound, expected[i].is_lower_bound);
	}
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_are_kept_apart),
		cmocka_unit_test(recursion_leads_back),
		cmocka_unit_test(sums_in_a_cycle_are_lower_bounds),
		cmocka_unit_test(random_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
