/* Counts of text from witnesses: sums, bounds, the flow law, deleted calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "profile/source_counts.h"
#include "synthetic.h"
#include "synthetic_source.h"

enum { MAX_WITNESSES = 16 };

/* One function, a witness per given row; its counts are those of the walk (synthetic.h). */
struct example {
	struct wm_arena arena;
	struct wm_profile profile;
	struct wm_function function;
	struct wm_profile_function counted;
	struct wm_source_section section;
	struct wm_witness witnesses[MAX_WITNESSES];
	struct wm_source_count *counts;
};

/* Places of the walk, and how often they were executed. */
enum {
	BLOCK_2, /* twice */
	BLOCK_17,
	BLOCK_16,
	BLOCK_11,
	BLOCK_1 = 5,
	EDGE_5 = 6 + 4,
	EDGE_1_ABANDONED = 6 + 7
};

static void add_witness(
	struct example *example, uint32_t place, enum wm_witness_kind kind, uint32_t block)
{
	assert_true(example->section.witness_count < MAX_WITNESSES);
	example->witnesses[example->section.witness_count++] =
		(struct wm_witness){place, kind, 0, block};
}

static void begin(struct example *example, const struct wm_source *text)
{
	*example = (struct example){.arena = example->arena, .function = synthetic_walk("walk")};
	const struct wm_source *const texts[] = {text};
	example->profile.object.path = "app";
	example->profile.object.sources = synthetic_records(&example->arena, texts, 1);
	example->profile.function_count = 1;
	example->profile.functions = &example->counted;
	example->counted = synthetic_walk_profile(&example->function);
	const struct wm_source **sources = wm_arena_alloc(&example->arena, 1, sizeof *sources);
	*sources = example->profile.object.sources.records;
	example->counted.sources = sources;
	example->section = (struct wm_source_section){.witnesses = example->witnesses};
	example->function.source = &example->section;
}

static const struct wm_source_count *count(struct example *example)
{
	struct wm_error error;
	if (wm_source_counts_make(&example->arena, &example->profile, &example->counts, &error))
		fail_msg("%s", error.text);
	return example->counts;
}

static void assert_interval(struct wm_interval interval, int64_t low, int64_t high)
{
	if (interval.low != low || interval.high != high)
		fail_msg("[%lld, %lld] is not [%lld, %lld]", (long long)interval.low,
			(long long)interval.high, (long long)low, (long long)high);
}

static void assert_exact(struct wm_interval interval, int64_t number)
{
	assert_interval(interval, number, number);
}

/* Without a witness a block has not run. Any place that ran lets it have. */
static void leave_open(struct example *example, uint32_t first, uint32_t last)
{
	for (uint32_t b = first; b <= last; b++)
		add_witness(example, BLOCK_17, WM_WITNESS_REPEATED, b);
}

/* Copies of a block add up, and an edge is as good a witness as a block. */
static void test_witnesses_of_one_block_add_up(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source straight = synthetic_straight(&example.arena, "one", NULL, 0);
	begin(&example, &straight);
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
	add_witness(&example, BLOCK_11, WM_WITNESS_RAN, 0);
	add_witness(&example, EDGE_5, WM_WITNESS_RAN, 0);
	assert_exact(count(&example)->block[0], 2 + 11 + 5);
	assert_exact(example.counts->entries, 18);
	assert_true(example.counts->known);
	wm_arena_reset(&example.arena);
}

static void test_weaker_witnesses_give_bounds(void **state)
{
	(void)state;
	static const struct {
		uint32_t place;
		enum wm_witness_kind kind;
		uint32_t block;
		int64_t low, high; /* beside a witness of 2 */
	} cases[] = {
		{BLOCK_11, WM_WITNESS_MAY, 0, 2, 13},
		{BLOCK_11, WM_WITNESS_REPEATED, 0, 2, WM_NO_HIGH},
		{BLOCK_11, WM_WITNESS_AT_LEAST, 0, 13, WM_NO_HIGH},
		{BLOCK_11, WM_WITNESS_REPEATED, 1, 2, WM_NO_HIGH}, /* of the whole text */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct example example = {0};
		const struct wm_source text = synthetic_straight(&example.arena, "one", NULL, 0);
		begin(&example, &text);
		add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
		add_witness(&example, cases[i].place, cases[i].kind, cases[i].block);
		assert_interval(count(&example)->block[0], cases[i].low, cases[i].high);
		wm_arena_reset(&example.arena);
	}
}

/* What did not run says nothing: a bound only opens where its place ran. */
static void test_a_place_that_never_ran_opens_no_bound(void **state)
{
	(void)state;
	static const enum wm_witness_kind kinds[] = {
		WM_WITNESS_MAY, WM_WITNESS_REPEATED, WM_WITNESS_AT_LEAST};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct example example = {0};
		const uint64_t never[] = {2, 17, 16, 11, 16, 0};
		const struct wm_source text = synthetic_straight(&example.arena, "one", NULL, 0);
		begin(&example, &text);
		example.counted.block = never;
		add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
		add_witness(&example, BLOCK_1, kinds[i], 0);
		assert_exact(count(&example)->block[0], 2);
		wm_arena_reset(&example.arena);
	}
}

static void test_what_is_left_inside_a_call_does_not_go_on(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source sum = synthetic_sum();
	begin(&example, &sum);
	add_witness(&example, BLOCK_16, WM_WITNESS_RAN, 2);
	add_witness(&example, BLOCK_11, WM_WITNESS_RAN, 3);
	add_witness(&example, EDGE_1_ABANDONED, WM_WITNESS_LEFT, 2);
	leave_open(&example, 0, 1);
	leave_open(&example, 4, 5);
	const struct wm_interval *block = count(&example)->block;
	assert_exact(example.counts->left[2], 1);
	assert_exact(block[4], 15); /* the flow law: 16 came in, 1 was left */
	assert_interval(block[5], 0, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
	begin(&example, &sum);
	add_witness(&example, BLOCK_16, WM_WITNESS_RAN, 2);
	add_witness(&example, EDGE_1_ABANDONED, WM_WITNESS_MAY_LEFT, 2);
	add_witness(&example, BLOCK_11, WM_WITNESS_RAN, 3);
	leave_open(&example, 0, 1);
	leave_open(&example, 4, 5);
	assert_interval(count(&example)->left[2], 0, 1);
	assert_interval(example.counts->block[4], 15, 16);
	wm_arena_reset(&example.arena);
}

/* Called twice, 11 iterations, of which 5 were odd. Only entry, condition and one arm have
 * witnesses. */
static void test_the_flow_law_tells_the_rest(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source sum = synthetic_sum();
	begin(&example, &sum);
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
	add_witness(&example, BLOCK_11, WM_WITNESS_RAN, 2);
	add_witness(&example, EDGE_5, WM_WITNESS_RAN, 3);
	leave_open(&example, 1, 1);
	leave_open(&example, 4, 5);
	const struct wm_interval *block = count(&example)->block;
	static const int64_t expected[] = {2, 13, 11, 5, 11, 2};
	for (uint32_t b = 0; b < 6; b++)
		assert_exact(block[b], expected[b]);
	assert_exact(example.counts->entries, 2);
	wm_arena_reset(&example.arena);
}

static void test_a_contradiction_makes_all_of_the_text_unknown(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source sum = synthetic_sum();
	begin(&example, &sum);
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
	add_witness(&example, BLOCK_11, WM_WITNESS_RAN, 1);
	add_witness(&example, BLOCK_16, WM_WITNESS_RAN, 2); /* no way there but from the 11 */
	assert_false(count(&example)->known);
	for (uint32_t b = 0; b < 6; b++)
		assert_interval(example.counts->block[b], 0, WM_NO_HIGH);
	assert_interval(example.counts->entries, 0, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
}

static void test_text_with_uncounted_code_has_lower_bounds(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source sum = synthetic_sum();
	begin(&example, &sum);
	bool yes = true;
	example.profile.object.sources.uncounted = &yes;
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
	assert_interval(count(&example)->block[0], 2, WM_NO_HIGH);
	assert_interval(example.counts->block[3], 0, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
}

/* Edges that were not counted: 1 of the walk is the only one into block 2 of its code, 3 leads from
 * a block with two branches to one with 16 executions, 5 is the only one out of a block. */
static void test_edges_that_were_not_counted_have_bounds(void **state)
{
	(void)state;
	static const struct {
		uint32_t edge;
		int64_t low, high;
	} cases[] = {{1, 16, 16}, {4, 0, 16}, {5, 11, 11}, {7, 0, WM_NO_HIGH}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct example example = {0};
		const struct wm_source text = synthetic_straight(&example.arena, "one", NULL, 0);
		begin(&example, &text);
		example.counted.edge = NULL;
		add_witness(&example, 6 + cases[i].edge, WM_WITNESS_RAN, 0);
		assert_interval(count(&example)->block[0], cases[i].low, cases[i].high);
		wm_arena_reset(&example.arena);
	}
}

static void test_functions_without_counts_leave_everything_open(void **state)
{
	(void)state;
	struct example example = {0};
	const struct wm_source text = synthetic_straight(&example.arena, "one", NULL, 0);
	begin(&example, &text);
	example.counted.block = example.counted.edge = NULL;
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 0);
	assert_interval(count(&example)->block[0], 0, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
}

static void test_a_witness_of_no_block_is_refused(void **state)
{
	(void)state;
	struct example example = {0};
	struct wm_error error;
	const struct wm_source sum = synthetic_sum();
	begin(&example, &sum);
	add_witness(&example, BLOCK_2, WM_WITNESS_RAN, 6);
	assert_int_equal(
		wm_source_counts_make(&example.arena, &example.profile, &example.counts, &error),
		WM_ERROR_INPUT);
	assert_string_equal(error.text,
		"app: the description of function 'walk' is damaged: it names a block that its "
		"text does not have; build the program again");
	wm_arena_reset(&example.arena);
}

/* `top` calls `pure`, which calls `inner`; each has a witness with this count, and so `pure`
 * may have been called more often than it was entered. */
static void check_calls(
	const uint64_t ran[3], bool pure, const int64_t low[3], const int64_t high[3])
{
	struct wm_arena arena = {0};
	const char *const pure_name[] = {"pure"}, *const inner_name[] = {"inner"};
	const struct wm_source top = synthetic_straight(&arena, "top", pure_name, 1),
			       middle = synthetic_straight(&arena, "pure", inner_name, 1),
			       inner = synthetic_straight(&arena, "inner", NULL, 0);
	const struct wm_source *const texts[] = {&top, &middle, &inner};
	struct example example = {0};
	begin(&example, &top);
	example.profile.object.sources = synthetic_records(&arena, texts, 3);
	const struct wm_source *sources[3];
	static const char *const names[] = {"top", "pure", "inner"};
	const struct wm_source_records *records = &example.profile.object.sources;
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t k = 0; k < 3; k++)
			if (strcmp(records->records[k].name, names[i]) == 0) {
				sources[i] = &records->records[k];
				records->pure[k] = pure && i == 1;
			}
	const uint64_t counts[] = {ran[0], ran[1], ran[2], 0, 0, 0};
	example.counted.block = counts;
	example.counted.sources = sources;
	for (uint32_t i = 0; i < 3; i++) {
		add_witness(&example, i, WM_WITNESS_RAN, 0);
		example.witnesses[i].source = i;
	}
	count(&example);
	for (uint32_t i = 0; i < 3; i++)
		assert_interval(example.counts[0 + (sources[i] - records->records)].block[0],
			low[i], high[i]);
	wm_arena_reset(&arena);
	wm_arena_reset(&example.arena);
}

static void test_deleted_calls_leave_lower_bounds(void **state)
{
	(void)state;
	enum { NO = -1 };
	const int64_t exact[] = {5, 5, 5}, more[] = {5, 7, 7};
	check_calls((const uint64_t[]){5, 5, 5}, true, exact, exact);
	check_calls((const uint64_t[]){5, 5, 5}, false, exact, exact);
	check_calls((const uint64_t[]){5, 7, 7}, false, more, more);
	check_calls((const uint64_t[]){5, 3, 3}, false, (const int64_t[]){5, 3, 3},
		(const int64_t[]){5, WM_NO_HIGH, 3});
	check_calls((const uint64_t[]){5, 3, 3}, true, (const int64_t[]){5, 3, 3},
		(const int64_t[]){5, WM_NO_HIGH, WM_NO_HIGH});
	check_calls((const uint64_t[]){5, 0, 0}, true, (const int64_t[]){5, 0, 0},
		(const int64_t[]){5, WM_NO_HIGH, WM_NO_HIGH});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_witnesses_of_one_block_add_up),
		cmocka_unit_test(test_weaker_witnesses_give_bounds),
		cmocka_unit_test(test_a_place_that_never_ran_opens_no_bound),
		cmocka_unit_test(test_what_is_left_inside_a_call_does_not_go_on),
		cmocka_unit_test(test_the_flow_law_tells_the_rest),
		cmocka_unit_test(test_a_contradiction_makes_all_of_the_text_unknown),
		cmocka_unit_test(test_text_with_uncounted_code_has_lower_bounds),
		cmocka_unit_test(test_edges_that_were_not_counted_have_bounds),
		cmocka_unit_test(test_functions_without_counts_leave_everything_open),
		cmocka_unit_test(test_a_witness_of_no_block_is_refused),
		cmocka_unit_test(test_deleted_calls_leave_lower_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
