/* Caches, predictor, power, the queue: numbers that were worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "hpp/commit_queue.h"
#include "hpp/machine.h"
#include "hpp/path_stack.h"

/* Two sets of two lines of 16 bytes. */
static void least_recently_used(void **state)
{
	(void)state;
	const struct wm_cache_shape shape = {64, 2, 16};
	uint64_t memory[4];
	struct wm_cache cache;
	wm_cache_init(&cache, &shape, memory);
	assert_true(wm_cache_access(&cache, 0, 4));
	assert_true(wm_cache_access(&cache, 32, 4));
	assert_false(wm_cache_access(&cache, 12, 4));
	assert_true(wm_cache_access(&cache, 64, 4)); /* 32 leaves */
	assert_false(wm_cache_access(&cache, 0, 4));
	assert_true(wm_cache_access(&cache, 32, 4)); /* 64 leaves */
	assert_true(wm_cache_access(&cache, 64, 4));
	assert_true(wm_cache_access(&cache, 14, 4)); /* two lines: 0 is not there, and one miss */
	assert_int_equal(cache.misses, 6);
	assert_false(wm_cache_access(&cache, 16, 4));
}

static void shapes_of_caches(void **state)
{
	(void)state;
	const struct wm_cache_shape good = {32 << 10, 8, 64}, odd = {48 << 10, 8, 64},
				    line = {1024, 2, 24}, ways = {1024, 0, 16};
	assert_null(wm_cache_shape_check(&good));
	assert_non_null(wm_cache_shape_check(&odd));
	assert_non_null(wm_cache_shape_check(&line));
	assert_non_null(wm_cache_shape_check(&ways));
	assert_null(wm_machine_check(&wm_machine_thesis));
	assert_null(wm_machine_check(&wm_machine_modern));
}

static struct wm_branch conditional(uint64_t at, bool taken)
{
	return (struct wm_branch){.at = at, .after = at + 4, .to = taken ? at + 64 : at + 4,
		.target = at + 64, .kind = WM_BRANCH_CONDITIONAL, .taken = taken};
}

/* Counters start at 1: the first taken branch is mispredicted, a second by history as well, since
 * each has another history; the bimodal counter is then 2, and right from there on. */
static void directions(void **state)
{
	(void)state;
	static struct wm_predictor predictor;
	wm_predictor_init(&predictor, false);
	struct wm_branch taken = conditional(0x1000, true), not = conditional(0x1000, false);
	assert_true(wm_predictor_branch(&predictor, &taken));
	for (int i = 0; i < 50; i++)
		assert_false(wm_predictor_branch(&predictor, &taken));
	assert_true(wm_predictor_branch(&predictor, &not));
	/* In turn: the chooser learns to ask the history. */
	int wrong = 0;
	for (int i = 0; i < 400; i++)
		wrong += wm_predictor_branch(&predictor, i % 2 ? &taken : &not) && i >= 200;
	assert_int_equal(wrong, 0);
}

static void targets(void **state)
{
	(void)state;
	static struct wm_predictor predictor;
	wm_predictor_init(&predictor, false);
	struct wm_branch call = {.at = 0x10, .after = 0x14, .to = 0x100, .kind = WM_BRANCH_CALL};
	struct wm_branch back = {.at = 0x100, .to = 0x14, .kind = WM_BRANCH_RETURN};
	struct wm_branch jump = {.at = 0x200, .to = 0x300, .kind = WM_BRANCH_JUMP_INDIRECT};
	assert_false(wm_predictor_branch(&predictor, &call));
	assert_false(wm_predictor_branch(&predictor, &back));
	assert_true(wm_predictor_branch(&predictor, &back)); /* nobody called */
	assert_true(wm_predictor_branch(&predictor, &jump));
	assert_false(wm_predictor_branch(&predictor, &jump));
	jump.to = 0x400;
	assert_true(wm_predictor_branch(&predictor, &jump));
	/* Four ways: a fifth jump of the set throws the first out. */
	for (uint64_t i = 1; i <= 4; i++) {
		struct wm_branch other = {
			.at = 0x200 + 512 * i, .to = 0x500, .kind = WM_BRANCH_JUMP_INDIRECT};
		assert_true(wm_predictor_branch(&predictor, &other));
	}
	assert_true(wm_predictor_branch(&predictor, &jump));
}

/* Figure 5.5 of the thesis: two ports, cost 6; totals 6, 6, 9, 12, here in halves. */
static void power(void **state)
{
	(void)state;
	static const uint32_t halves[] = {0, 12, 12, 18, 24};
	for (uint32_t n = 1; n <= 4; n++)
		assert_int_equal(wm_power_of_cycle(6, n), halves[n]);
	const struct wm_cache_shape l1 = {32 << 10, 1, 32}, l2 = {512 << 10, 4, 64};
	assert_int_equal(wm_power_of_cache(&l1), 1);
	assert_int_equal(wm_power_of_cache(&l2), 7);
}

static void cycles(void **state)
{
	(void)state;
	static struct wm_machine machine;
	static uint64_t memory[(32 + 32 + 512) << 10 >> 4];
	uint32_t events[WM_HPP_COUNTS] = {0};
	assert_true(wm_machine_bytes(&wm_machine_thesis) <= sizeof memory);
	wm_machine_init(&machine, &wm_machine_thesis, memory);
	wm_machine_fetch(&machine, 0x1000, 4, events);	     /* misses both: 100 */
	wm_machine_fetch(&machine, 0x1020, 4, events);	     /* L2 has the line of 64 bytes: 10 */
	wm_machine_data(&machine, 0x1030, 4, false, events); /* the same line, another L1: 10 */
	wm_machine_block(&machine, 8, events);		     /* and 8 instructions in 2 cycles */
	assert_int_equal(events[WM_HPP_EVENT_L1I], 2);
	assert_int_equal(events[WM_HPP_EVENT_L1D], 1);
	assert_int_equal(events[WM_HPP_EVENT_L2], 1);
	assert_int_equal(events[WM_HPP_EVENT_CYCLES], 122);
	assert_int_equal(events[WM_HPP_EVENT_POWER], 8 + 1 + 3 * 7 + 60);
}

static void queue(void **state)
{
	(void)state;
	static const uint64_t retire[] = {0, 0, 1, 1, 2, 2, 3, 20};
	static const struct {
		uint32_t slots;
		uint64_t stall;
	} rows[] = {{0, 9}, {1, 7}, {2, 5}, {4, 1}};
	static const uint64_t extra[] = {0, 0, 0, 1, 1, 2, 1, 0}, begin[] = {0, 2, 4, 6, 8, 10, 12, 25};
	for (size_t row = 0; row < 4; row++) {
		struct wm_commit_queue queue = {.slots = rows[row].slots};
		for (size_t i = 0; i < 8; i++) {
			uint64_t stalled = wm_commit_queue_add(&queue, retire[i], 2);
			if (rows[row].slots != 2)
				continue;
			assert_int_equal(stalled, extra[i]);
			assert_int_equal(queue.begin[i], begin[i]);
		}
		assert_int_equal(queue.stall, rows[row].stall);
	}
}

static void service(void **state)
{
	(void)state;
	const struct wm_latencies four = wm_latencies_of(4), one = wm_latencies_of(1);
	const struct wm_path_work back = {.pushes = 1, .pops = 1, .updates = 1};
	assert_int_equal(wm_service(&four, &back, 1, 0), 4);
	assert_int_equal(wm_service(&four, &back, 1, 1), 5);
	assert_int_equal(wm_service(&one, &back, 1, 1), 4);
}

struct seen {
	int count;
	struct wm_path_entry path[16];
	enum wm_path_ending ending[16];
};

static void note(void *context, const struct wm_path_entry *path, enum wm_path_ending ending)
{
	struct seen *seen = context;
	seen->path[seen->count] = *path;
	seen->ending[seen->count++] = ending;
}

static void make_stack(struct wm_path_stack *stack, void *memory, struct seen *seen)
{
	struct wm_control control;
	wm_control_decode(WM_CONTROL_BALL_LARUS, &control);
	wm_path_stack_init(stack, &control, memory, 32);
	stack->sink = note;
	stack->context = seen;
}

/* main calls f, f calls g, g jumps back into main: the stack pointer tells that f and g are gone. */
static void longjmp_by_stack_pointer(void **state)
{
	(void)state;
	static struct wm_path_entry memory[32];
	struct wm_path_stack stack;
	struct seen seen = {0};
	make_stack(&stack, memory, &seen);
	wm_path_stack_begin(&stack, 0x900);
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x910, .after = 0x914, .to = 0x1000, .stack = 0x7000});
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x1010, .after = 0x1014, .to = 0x2000, .stack = 0x6f00});
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x2004, .after = 0x2008, .to = 0x3000, .stack = 0x6e00});
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x3008, .to = 0x1008, .stack = 0x6f80,
		.kind = WM_BRANCH_JUMP_INDIRECT, .taken = true});
	assert_int_equal(stack.entries, 2);
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.ending[0], WM_ENDING_INDIRECT);
	assert_int_equal(seen.path[1].start, 0x2000);
	assert_int_equal(seen.path[2].start, 0x1000);
	assert_int_equal(wm_path_stack_entry(&stack, 0)->start, 0x1008);
	assert_int_equal(wm_path_stack_entry(&stack, 0)->frame_return, 0x914);
	assert_int_equal(stack.figures.repairs, 1);
}

/* The handler's frame returns to nowhere that is known; what was interrupted goes on as it was. */
static void signals(void **state)
{
	(void)state;
	static struct wm_path_entry memory[32];
	struct wm_path_stack stack;
	struct seen seen = {0};
	make_stack(&stack, memory, &seen);
	wm_path_stack_begin(&stack, 0x900);
	struct wm_branch first = conditional(0x910, true);
	wm_path_stack_step(&stack, &first);
	wm_path_stack_signal(&stack, 0x5000);
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x5010, .after = 0x5014, .to = 0x6000});
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x6000, .to = 0x5014, .kind = WM_BRANCH_RETURN, .taken = true});
	wm_path_stack_step(&stack, &(struct wm_branch){.at = 0x5020, .to = 0x77, .kind = WM_BRANCH_RETURN, .taken = true});
	assert_int_equal(stack.entries, 2); /* the code that ends the handler belongs to it */
	wm_path_stack_sigreturn(&stack);
	assert_int_equal(stack.entries, 1);
	assert_int_equal(wm_path_stack_entry(&stack, 0)->start, 0x900);
	assert_int_equal(wm_path_stack_entry(&stack, 0)->length, 1);
	assert_int_equal(stack.figures.repairs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(least_recently_used),
		cmocka_unit_test(shapes_of_caches), cmocka_unit_test(directions),
		cmocka_unit_test(targets), cmocka_unit_test(power), cmocka_unit_test(cycles),
		cmocka_unit_test(queue), cmocka_unit_test(service),
		cmocka_unit_test(longjmp_by_stack_pointer), cmocka_unit_test(signals)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
