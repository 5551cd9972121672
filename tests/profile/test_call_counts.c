/* Calls of a block in which control may end at several places: bounds that are derived by hand, and
 * random executions, of which the truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "profile/call_counts.h"

enum { MAX_CALLS = 6 };

/* One block, entered and returned from, with an edge for calls that did not come back. */
struct example {
	struct wm_arena arena;
	struct wm_call_site calls[MAX_CALLS];
	struct wm_function function;
	uint64_t block[1], edge[2];
	struct wm_profile_function counts;
	struct wm_profile profile;
};

static uint32_t sources[] = {0, 0}, targets[] = {1, 1};
static uint8_t edge_flags[] = {WM_EDGE_ABANDONED | WM_EDGE_UNCOUNTABLE, 0};

/* `may_end`: a letter for each call, E if control may end in it. `ends_here`: the block has no
 * end but the last call, and no edge for the others. */
static void make_example(struct example *example, const char *may_end, bool ends_here)
{
	*example = (struct example){.function = {.block_count = 1,
					    .edge_count = 2,
					    .edge_source = sources,
					    .edge_target = targets,
					    .edge_flags = edge_flags,
					    .call_count = (uint32_t)strlen(may_end)}};
	for (uint32_t i = 0; may_end[i]; i++)
		example->calls[i] = (struct wm_call_site){.callee = "f",
			.flags = (memchr(may_end, 'E', i) ? WM_CALL_BEHIND : 0) |
				 (strchr(may_end + i, 'E') || ends_here ? WM_CALL_IN_FRONT : 0)};
	example->function.calls = example->calls;
	example->counts = (struct wm_profile_function){.function = &example->function,
		.block = example->block,
		.edge = ends_here ? NULL : example->edge};
}

static struct wm_interval *count(struct example *example)
{
	return wm_call_counts(&example->arena, &example->profile, &example->counts);
}

static void assert_bounds(struct wm_interval interval, int64_t low, int64_t high)
{
	assert_int_equal(interval.low, low);
	assert_int_equal(interval.high, high);
}

/* Entered ten times, left three times: nobody knows where. */
static void test_calls_between_two_ends_are_bounded(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, "-EE-", false);
	example.block[0] = 10;
	example.edge[0] = 3;
	struct wm_interval *counts = count(&example);
	assert_bounds(counts[0], 10, 10);
	assert_bounds(counts[1], 10, 10);
	assert_bounds(counts[2], 7, 10);
	assert_bounds(counts[3], 7, 7);
	example.edge[0] = 0;
	assert_bounds(count(&example)[2], 10, 10);
	wm_arena_reset(&example.arena);
}

/* The first call forks, and the child comes back; the second ends both processes. Nothing of that
 * is seen in the sum of the two. */
static void test_fork_bounds_nothing(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, "EE-", false);
	example.block[0] = 1;
	example.edge[0] = 1;
	example.profile.file.status = WM_STATUS_FORKED;
	struct wm_interval *counts = count(&example);
	assert_bounds(counts[0], 1, 1);
	assert_bounds(counts[1], WM_NO_LOW, WM_NO_HIGH);
	assert_bounds(counts[2], 0, 0);
	example.edge[0] = (uint64_t)-1;
	assert_bounds(count(&example)[2], 2, 2);
	example.profile.file.status = 0;
	assert_bounds(count(&example)[1], WM_NO_LOW, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
}

static void test_where_edges_are_not_known_nothing_is_sure_behind_an_end(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, "E-E", true);
	example.block[0] = 5;
	struct wm_interval *counts = count(&example);
	assert_bounds(counts[0], 5, 5);
	assert_bounds(counts[1], 0, 5);
	example.profile.file.status = WM_STATUS_FORKED;
	assert_bounds(count(&example)[1], WM_NO_LOW, WM_NO_HIGH);
	example.block[0] = 0;
	assert_bounds(count(&example)[1], 0, 0);
	example.counts.block = NULL;
	assert_bounds(count(&example)[0], WM_NO_LOW, WM_NO_HIGH);
	wm_arena_reset(&example.arena);
}

/* Enters the block once; control ends at each call where it may with a chance of one in four. */
static void execute(struct example *example, const char *may_end, int64_t *made)
{
	example->block[0]++;
	for (uint32_t i = 0; may_end[i]; i++) {
		made[i]++;
		if (may_end[i] == 'E' && rand() % 4 == 0) {
			example->edge[0]++;
			return;
		}
	}
}

static void test_bounds_hold_the_truth(void **state)
{
	(void)state;
	srand(1);
	uint32_t exact = 0, bounded = 0;
	for (int round = 0; round < 20000; round++) {
		char may_end[MAX_CALLS + 1] = "";
		int64_t made[MAX_CALLS] = {0};
		struct example example;
		for (int i = 1 + rand() % MAX_CALLS; i > 0; i--)
			may_end[i - 1] = rand() % 2 ? 'E' : '-';
		make_example(&example, may_end, false);
		for (int runs = rand() % 6; runs > 0; runs--)
			execute(&example, may_end, made);
		struct wm_interval *counts = count(&example);
		for (uint32_t i = 0; i < example.function.call_count; i++) {
			assert_in_range(made[i], (uint64_t)counts[i].low, (uint64_t)counts[i].high);
			exact += wm_interval_is_exact(counts[i]);
			bounded += !wm_interval_is_exact(counts[i]);
		}
		wm_arena_reset(&example.arena);
	}
	assert_true(exact > 10000 && bounded > 1000);
}

static void test_calls_are_decoded_as_they_were_encoded(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_function read;
	struct wm_scope scopes[] = {{"f", "f.c", 1, 0, 0}, {"g", "g.h", 7, 0, 3}};
	struct wm_block blocks[3] = {{.instructions = 1}};
	struct wm_call_site calls[] = {{0, WM_CALL_IN_FRONT, "exit", 1, 8}, {2, 0, "", 0, 0},
		{2, WM_CALL_TAIL | WM_CALL_BEHIND, "exit", 0, 4}};
	const struct wm_function written = {.name = "f",
		.block_count = 3,
		.blocks = blocks,
		.scope_count = 2,
		.scopes = scopes,
		.call_count = 3,
		.calls = calls};
	size_t bytes;
	const uint8_t *body = wm_description_encode(&arena, &written, &bytes);
	if (wm_description_decode(&arena, body, bytes, &read, &error))
		fail_msg("%s", error.text);
	assert_int_equal(read.call_count, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(read.calls[i].block, calls[i].block);
		assert_int_equal(read.calls[i].flags, calls[i].flags);
		assert_string_equal(read.calls[i].callee, calls[i].callee);
		assert_int_equal(read.calls[i].scope, calls[i].scope);
		assert_int_equal(read.calls[i].line, calls[i].line);
	}
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_between_two_ends_are_bounded),
		cmocka_unit_test(test_fork_bounds_nothing),
		cmocka_unit_test(test_where_edges_are_not_known_nothing_is_sure_behind_an_end),
		cmocka_unit_test(test_bounds_hold_the_truth),
		cmocka_unit_test(test_calls_are_decoded_as_they_were_encoded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
