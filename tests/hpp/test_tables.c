/* Control words, hot path table, overlap: numbers that were worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpp/control.h"
#include "hpp/hot_table.h"
#include "study/settings.h"

static void control_words(void **state)
{
	(void)state;
	struct wm_control control;
	assert_null(wm_control_decode(WM_CONTROL_BALL_LARUS, &control));
	assert_int_equal(control.length, 32);
	assert_true(control.enabled);
	assert_true(wm_control_encode(&control) == WM_CONTROL_BALL_LARUS);
	assert_int_equal(WM_CONTROL_BALL_LARUS & 0xfffff, 0xdd16a);
	assert_int_equal(WM_CONTROL_WHOLE & 0xfffff, 0xdd1ee);
	control.extension = WM_EXTEND_LOOPS;
	control.maximum = 1;
	assert_true(wm_control_encode(&control) == UINT64_C(0x80000001f05dd16a));
	control.extension = WM_EXTEND_CALLS;
	assert_true(wm_control_encode(&control) == UINT64_C(0x80000001f06dd16a));
}

static void bad_control_words(void **state)
{
	(void)state;
	static const uint64_t bad[] = {UINT64_C(0x80000001f00dd16b), /* both updates */
		UINT64_C(0x80000001f00dd56a), /* a forward branch pops and does not push */
		UINT64_C(0x80000001f01dd16a), /* extended, at most 0 times */
		UINT64_C(0x80000001f07dd16a), /* extension 3 */
		UINT64_C(0x80000401f00dd16a), /* reserved */
		UINT64_C(0xc0000001f00dd16a), UINT64_C(0x8000001bf00dd16a) /* event 13 */};
	struct wm_control control;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_non_null(wm_control_decode(bad[i], &control));
}

struct fixture {
	struct wm_hot_table table;
	struct wm_hot_cell cell[64];
};

/* P1 = 100:1:1, P2 = 110:2:00, P3 = 120:0:-, P4 = 121:0:- */
static const uint64_t start_of[] = {0, 0x100, 0x110, 0x120, 0x121};
static const uint64_t rest_of[] = {0, UINT64_C(1) << 32 | 1, UINT64_C(2) << 32, 0, 0};

static void fill(struct fixture *f, unsigned policy)
{
	static const int stream[] = {1, 1, 2, 1, 3, 3, 2, 4, 1};
	const struct wm_hot_shape shape = {4, 2, WM_INDEX_XOR, (uint8_t)policy, 0, false};
	wm_hot_table_init(&f->table, &shape, f->cell);
	for (size_t i = 0; i < sizeof stream / sizeof *stream; i++)
		wm_hot_table_add(&f->table, start_of[stream[i]], rest_of[stream[i]], 1);
}

static int weight(struct fixture *f, int path)
{
	const struct wm_hot_cell *cell =
		wm_hot_table_find(&f->table, start_of[path], rest_of[path]);
	return cell ? (int)cell->weight : -1;
}

static void policies(void **state)
{
	(void)state;
	struct fixture f;
	fill(&f, WM_POLICY_LFU);
	assert_int_equal(weight(&f, 1), 4);
	assert_int_equal(weight(&f, 2), 1);
	assert_int_equal(weight(&f, 3), -1);
	assert_int_equal(weight(&f, 4), 1);
	assert_int_equal(f.table.hits * 100 + f.table.misses * 10 + f.table.evictions, 452);
	fill(&f, WM_POLICY_LRU);
	assert_int_equal(weight(&f, 1), 1);
	assert_int_equal(weight(&f, 2), 1);
	assert_int_equal(f.table.hits * 100 + f.table.misses * 10 + f.table.evictions, 363);
	fill(&f, WM_POLICY_SPACE_SAVING);
	assert_int_equal(weight(&f, 1), 4);
	assert_int_equal(weight(&f, 2), 4);
	assert_int_equal(wm_hot_table_find(&f.table, 0x110, rest_of[2])->error, 3);
	fill(&f, WM_POLICY_ADMIT);
	assert_int_equal(weight(&f, 1), 4);
	assert_int_equal(weight(&f, 2), 3);
	assert_true(f.table.random == UINT64_C(0x7b07ce91e5906136));
}

static void indexes(void **state)
{
	(void)state;
	static const struct {
		uint8_t index;
		uint32_t set;
	} rows[] = {{WM_INDEX_FOLD, 2}, {WM_INDEX_XOR, 51}, {WM_INDEX_ADDRESS, 54},
		{WM_INDEX_SCALED, 68}};
	static struct wm_hot_cell cell[512];
	for (size_t i = 0; i < 4; i++) {
		struct wm_hot_table table;
		const struct wm_hot_shape shape = {512, 4, rows[i].index, 0, 0, false};
		wm_hot_table_init(&table, &shape, cell);
		/* Outcomes 011 in order of execution: 6 as a number. */
		assert_int_equal(wm_hot_table_set(&table, 0x401136, UINT64_C(3) << 32 | 6),
			rows[i].set);
	}
	const struct wm_hot_shape thesis = {512, 4, 0, 0, 0, false};
	assert_int_equal(wm_hot_hardware_bytes(&thesis), 7168);
}

static uint32_t next(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 8;
}

/* Space-saving's promises hold on streams where few keys are heavy. */
static void space_saving_bounds(void **state)
{
	(void)state;
	uint32_t random = 7;
	for (int run = 0; run < 200; run++) {
		struct fixture f;
		uint64_t exact[64] = {0}, in_set[2] = {0};
		const struct wm_hot_shape shape = {
			8, 4, WM_INDEX_ADDRESS, WM_POLICY_SPACE_SAVING, 0, false};
		wm_hot_table_init(&f.table, &shape, f.cell);
		for (int i = 0; i < 600; i++) {
			uint32_t key = next(&random) % (1 + next(&random) % 40);
			uint32_t count = 1 + next(&random) % 5;
			exact[key] += count;
			in_set[key % 2] += count;
			wm_hot_table_add(&f.table, key, 0, count);
		}
		for (uint32_t key = 0; key < 40; key++) {
			const struct wm_hot_cell *cell = wm_hot_table_find(&f.table, key, 0);
			if (cell) {
				assert_true(cell->weight - cell->error <= exact[key]);
				assert_true(exact[key] <= cell->weight);
			} else {
				assert_true(exact[key] * 4 <= in_set[key % 2]);
			}
		}
	}
}

/* One key more than a set has ways, in turn: lfu never keeps one long enough to count it. */
static void round_robin(void **state)
{
	(void)state;
	struct fixture f;
	const struct wm_hot_shape shape = {4, 4, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false};
	wm_hot_table_init(&f.table, &shape, f.cell);
	for (uint64_t i = 0; i < 500; i++)
		wm_hot_table_add(&f.table, i % 5, 0, 1);
	uint64_t known = 0;
	for (uint64_t i = 0; i < 4; i++)
		known += f.cell[i].weight;
	assert_true(known < 500);
}

static void merging(void **state)
{
	(void)state;
	struct fixture left, right;
	const struct wm_hot_shape shape = {2, 2, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false};
	wm_hot_table_init(&left.table, &shape, left.cell);
	wm_hot_table_init(&right.table, &shape, right.cell);
	wm_hot_table_add(&left.table, 1, 0, 5);
	wm_hot_table_add(&left.table, 2, 0, 2);
	wm_hot_table_add(&right.table, 1, 0, 4);
	wm_hot_table_add(&right.table, 3, 0, 9);
	wm_hot_table_merge(&left.table, &right.table);
	assert_int_equal(wm_hot_table_find(&left.table, 1, 0)->weight, 9);
	assert_int_equal(wm_hot_table_find(&left.table, 3, 0)->weight, 9);
	assert_null(wm_hot_table_find(&left.table, 2, 0));
}

static void shapes(void **state)
{
	(void)state;
	struct wm_hot_shape shape;
	struct wm_error error;
	assert_int_equal(wm_hpp_set_table(&shape, "1024x8:xor:lru", &error), 0);
	assert_int_equal(shape.entries, 1024);
	assert_int_equal(shape.ways, 8);
	assert_int_equal(shape.index, WM_INDEX_XOR);
	assert_int_equal(shape.policy, WM_POLICY_LRU);
	static const char *const bad[] = {"", "512", "512x", "500x4", "4x8", "512x4:", "512x4:lfu",
		"512x4:fold:mru", "512x4:fold:lfu:", "x4", "-512x4", "33554432x4", "512x4 "};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_not_equal(wm_hpp_set_table(&shape, bad[i], &error), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(control_words),
		cmocka_unit_test(bad_control_words), cmocka_unit_test(policies),
		cmocka_unit_test(indexes), cmocka_unit_test(space_saving_bounds),
		cmocka_unit_test(round_robin), cmocka_unit_test(merging), cmocka_unit_test(shapes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
