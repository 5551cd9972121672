/* Designs, overlaps, phases: numbers that were worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stream/branch_text.h"
#include "study/figures.h"
#include "study/phases.h"

static bool is_near(double left, double right)
{
	return fabs(left - right) < 1e-9;
}

/* y = 80 + 5 x1 + 2 x2 + 3 x3 - x5 + x1 x3 / 2: the interaction stays out of all effects. */
static void effects(void **state)
{
	(void)state;
	static const double expected[WM_FACTORS] = {80, 32, 48, 0, -16, 0};
	int8_t x[WM_DESIGN_ROWS][WM_FACTORS];
	double response[WM_DESIGN_ROWS], effect[WM_FACTORS];
	wm_plackett_burman(x);
	for (int i = 0; i < WM_DESIGN_ROWS; i++)
		response[i] = 80 + 5 * x[i][0] + 2 * x[i][1] + 3 * x[i][2] - x[i][4] +
			      0.5 * x[i][0] * x[i][2];
	wm_plackett_burman_effects(response, effect);
	for (int i = 0; i < WM_FACTORS; i++)
		assert_true(is_near(effect[i], expected[i]));
}

/* Each factor is high in half of all runs, also where any other is high. */
static void balanced(void **state)
{
	(void)state;
	int8_t x[WM_DESIGN_ROWS][WM_FACTORS];
	wm_plackett_burman(x);
	for (int a = 0; a < WM_FACTORS; a++)
		for (int b = 0; b < WM_FACTORS; b++) {
			int product = 0, sum = 0;
			for (int i = 0; i < WM_DESIGN_ROWS; i++) {
				product += x[i][a] * x[i][b];
				sum += x[i][a];
			}
			assert_int_equal(sum, 0);
			assert_int_equal(product, a == b ? WM_DESIGN_ROWS : 0);
		}
}

static void present(struct wm_study *study, uint32_t number, uint32_t times, uint32_t l2)
{
	struct wm_path_entry path = {.start = 0x1000 + 16 * (uint64_t)number, .length = number + 1};
	path.count[WM_HPP_EVENT_INSTRUCTIONS] = 10;
	path.count[WM_HPP_EVENT_L2] = l2;
	for (uint32_t i = 0; i < times; i++)
		wm_study_take(study, number, &path, 1);
}

static void overlaps(void **state)
{
	(void)state;
	struct wm_study study = {.tables = 0};
	const struct wm_hot_shape roomy = {8, 8, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false};
	const struct wm_hot_shape single = {1, 1, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false};
	study.window = 1000; /* 100 executions */
	size_t all = wm_study_add(&study, &roomy, WM_HPP_EVENT_FREQUENCY, false);
	size_t one = wm_study_add(&study, &single, WM_HPP_EVENT_FREQUENCY, false);
	size_t window = wm_study_add(&study, &single, WM_HPP_EVENT_FREQUENCY, true);
	present(&study, 0, 50, 1);
	present(&study, 1, 30, 0);
	present(&study, 2, 20, 2);
	/* The second window is of one path. */
	present(&study, 2, 100, 0);
	wm_study_finish(&study);
	assert_int_equal(study.windows, 2);
	assert_true(is_near(study.table[all].complete, 1));
	/* The last to come has the only cell, whatever it weighs: 120 of 200. */
	assert_true(is_near(study.table[one].complete, 0.6));
	assert_true(is_near(wm_study_dynamic(&study, &study.table[window]), (0.2 + 1) / 2));
	/* {50, 30, 120} / 200 against {50, 0, 40} / 90. */
	assert_true(is_near(wm_study_metrics_overlap(&study, 0, WM_HPP_EVENT_L2), 0.25 + 40.0 / 90));
	assert_true(is_near(wm_study_top(&study, 0, 1), 0.6));
	assert_true(is_near(wm_study_by_length(&study, WM_HPP_EVENT_INSTRUCTIONS, 2), 0.4));
	wm_study_free(&study);
}

/* Two diamonds. In the first window their outcomes agree, in the second they differ: each block runs as
 * often, each path in one window only. */
static void diamonds(void **state)
{
	(void)state;
	static char text[1 << 16];
	struct wm_hpp_settings settings = wm_hpp_settings_default();
	static struct wm_phases phases;
	struct wm_error error;
	size_t used = (size_t)sprintf(text, "begin 100\n");
	for (int i = 0; i < 200; i++) {
		int first = i % 2, second = i < 100 ? first : !first;
		used += (size_t)sprintf(text + used,
			"jcc%c 110 %s n=5 target=130\njmp %s 140 n=3\njcc%c 150 %s n=5 target=170\n"
			"jmp %s 180 n=3\njmp 190 100 n=4\n",
			first ? '+' : '-', first ? "130" : "114", first ? "138" : "11c",
			second ? '+' : '-', second ? "170" : "154", second ? "178" : "15c");
	}
	settings.window = 2000; /* 100 iterations of 20 instructions */
	wm_phases_init(&phases, &settings);
	struct wm_stream_sink sink = wm_phases_sink(&phases);
	assert_int_equal(wm_branch_text_read("text", text, used, &sink, &error), 0);
	assert_null(wm_phases_finish(&phases));
	assert_int_equal(phases.by_path.windows, 2);
	assert_true(is_near(wm_windows_distance(&phases.by_block, 0, 1), 0));
	assert_true(is_near(wm_windows_distance(&phases.by_path, 0, 1), 2));
	assert_int_equal(phases.by_path.phases, 2);
	assert_int_equal(phases.by_block.phases, 1);
	assert_int_equal(wm_phases_seen_by_paths_only(&phases), 1);
	wm_phases_free(&phases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(effects), cmocka_unit_test(balanced),
		cmocka_unit_test(overlaps), cmocka_unit_test(diamonds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
