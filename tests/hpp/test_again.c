/* A path that is told as a whole, as often as it ran, leaves what its branches leave one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "hpp/profiler.h"
#include "study/live.h"

enum { BODY = 0x1000, OTHER = 0x2000, ROUNDS = 3000 };

static void branch(struct wm_profiler *profiler, uint64_t at, uint64_t to, uint8_t kind, bool taken)
{
	struct wm_branch told = {.at = at,
		.after = at + 4,
		.to = to,
		.target = taken ? to : at + 64,
		.instructions = 5,
		.kind = kind,
		.taken = taken};
	wm_profiler_branch(profiler, &told, 0);
}

/* One iteration of a loop: a condition that fails, a jump, and the way back or on to another loop.
 */
static void iterate(struct wm_profiler *profiler, uint64_t from, uint64_t to)
{
	branch(profiler, from + 16, from + 20, WM_BRANCH_CONDITIONAL, false);
	branch(profiler, from + 32, from + 48, WM_BRANCH_JUMP, true);
	branch(profiler, from + 0x2000, to, WM_BRANCH_CONDITIONAL, true);
}

/* Known to be the path of the loop at this address. */
static void again(struct wm_profiler *profiler, uint64_t from, uint64_t times, uint64_t to)
{
	struct wm_exact_path *path =
		wm_exact_table_find(&profiler->exact, from, UINT64_C(3) << 32 | 6);
	assert_non_null(path);
	assert_true(wm_profiler_begins(profiler, from));
	wm_profiler_again(profiler,
		&(struct wm_path_again){(uint32_t)(path - profiler->exact.path), 15, 2, 1}, times,
		to);
}

/* Two loops whose paths fight for one cell; how often each iterates depends on the round. */
static void run(struct wm_profiler *profiler, const struct wm_hot_shape *shape, bool at_once)
{
	struct wm_profiler_options options = wm_profiler_defaults;
	options.table = *shape;
	assert_true(wm_profiler_init(profiler, &options, wm_hpp_resize));
	wm_profiler_begin(profiler, BODY);
	branch(profiler, BODY, BODY + 0x100, WM_BRANCH_CALL, true);
	branch(profiler, BODY + 0x2100, BODY, WM_BRANCH_JUMP, true);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t from = round % 3 ? BODY : OTHER, times = 1 + round * round % 7;
		uint64_t to = (round + 1) % 3 ? BODY : OTHER;
		if (round == 0)
			from = BODY;
		for (uint64_t i = 1; i < times && !(at_once && round > 5); i++)
			iterate(profiler, from, from);
		if (at_once && round > 5 && times > 1)
			again(profiler, from, times - 1, from);
		if (at_once && round > 5)
			again(profiler, from, 1, to);
		else
			iterate(profiler, from, to);
	}
	wm_profiler_finish(profiler);
}

static void assert_same(const struct wm_profiler *left, const struct wm_profiler *right)
{
	struct wm_path_stack_figures of_left = wm_profiler_figures(left),
				     of_right = wm_profiler_figures(right);
	assert_int_equal(left->exact.paths, right->exact.paths);
	assert_memory_equal(
		left->exact.path, right->exact.path, left->exact.paths * sizeof *left->exact.path);
	assert_memory_equal(
		left->table.cell, right->table.cell, wm_hot_table_bytes(&left->table.shape));
	assert_int_equal(left->table.hits, right->table.hits);
	assert_int_equal(left->table.misses, right->table.misses);
	assert_int_equal(left->table.evictions, right->table.evictions);
	assert_int_equal(left->table.clock, right->table.clock);
	assert_int_equal(left->instructions, right->instructions);
	assert_int_equal(left->branches, right->branches);
	assert_int_equal(left->service, right->service);
	assert_memory_equal(left->kind, right->kind, sizeof left->kind);
	assert_memory_equal(&of_left, &of_right, sizeof of_left);
}

static void paths_again(void **state)
{
	(void)state;
	for (uint8_t policy = 0; policy < WM_HOT_POLICIES; policy++) {
		for (uint32_t entries = 1; entries <= 2; entries++) {
			struct wm_hot_shape shape = {entries, 1, WM_INDEX_FOLD, policy, 0, false};
			struct wm_profiler one_by_one, at_once;
			run(&one_by_one, &shape, false);
			run(&at_once, &shape, true);
			assert_same(&one_by_one, &at_once);
			wm_profiler_free(&one_by_one);
			wm_profiler_free(&at_once);
		}
	}
}

static void where_a_path_begins(void **state)
{
	(void)state;
	struct wm_profiler profiler;
	assert_true(wm_profiler_init(&profiler, &wm_profiler_defaults, wm_hpp_resize));
	assert_false(wm_profiler_begins(&profiler, BODY));
	wm_profiler_begin(&profiler, BODY);
	assert_false(wm_profiler_begins(&profiler, BODY)); /* what came before is not known */
	branch(&profiler, BODY + 0x2000, BODY, WM_BRANCH_JUMP, true);
	assert_true(wm_profiler_begins(&profiler, BODY));
	assert_false(wm_profiler_begins(&profiler, OTHER));
	branch(&profiler, BODY + 16, BODY + 20, WM_BRANCH_CONDITIONAL, false);
	assert_false(wm_profiler_begins(&profiler, BODY));
	wm_profiler_free(&profiler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_again), cmocka_unit_test(where_a_path_begins)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
