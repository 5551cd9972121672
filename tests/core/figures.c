/* Figures 7 and 10 of Ball & Larus 1994: a run that ends early, and counters that leave a vertex
 * open though what they do not count is neither a diamond nor directed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/counters/propagate.h"
#include "core/graph/cfg.h"

enum { P, Q, A, B, R, C, END }; /* while (P) { if (Q) A; else B; if (R) break; C; } */

static const struct wm_probe counted[] = {
	{WM_PROBE_EDGE, 0}, {WM_PROBE_EDGE, 1}, {WM_PROBE_EDGE, 2}, {WM_PROBE_EDGE, 7}};

static void check_edges(const uint64_t *left_early, const uint64_t *expected)
{
	static const uint32_t source[] = {P, P, Q, Q, A, B, R, R, C},
			      target[] = {Q, END, A, B, R, R, C, END, P};
	static const uint64_t counter[] = {2, 0, 1, 0}; /* of the run P Q B R C P Q A */
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_counts counts;
	const struct wm_cfg *cfg = wm_cfg_build(&arena, 7, 9, source, target, P, END);
	assert_int_equal(
		wm_propagate(&arena, cfg, counted, 4, counter, left_early, &counts, &error), 0);
	assert_true(counts.edges_known);
	for (uint32_t e = 0; e < 10; e++) /* the last one is from the end to P */
		assert_int_equal(counts.edge[e], expected[e]);
	wm_arena_reset(&arena);
}

static void test_a_run_that_ends_early(void **state)
{
	static const uint64_t unknown[] = {2, 0, 1, 1, 1, 1, 2, 0, 2, 0},
			      known[] = {2, 0, 1, 1, 0, 1, 1, 0, 1, 1}, left_early[7] = {[A] = 1};
	(void)state;
	check_edges(NULL, unknown);
	check_edges(left_early, known);
}

enum { V1, V2, V3, V4, M, X, EXIT };

static const uint32_t source_10[] = {V1, X, V1, V3, V3, V2, V4, M, M},
		      target_10[] = {X, V2, V4, V2, V4, M, M, V3, EXIT};

/* Both V1 X V2 M V3 V4 M EXIT and V1 V4 M V3 V2 M EXIT count one on each of the three edges. */
static void test_a_cycle_with_one_pipe(void **state)
{
	static const uint64_t counter[] = {1, 1, 1, 1};
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_counts counts;
	struct wm_probe probes[] = {
		{WM_PROBE_EDGE, 5}, {WM_PROBE_EDGE, 6}, {WM_PROBE_EDGE, 7}, {WM_PROBE_EDGE, 0}};
	const struct wm_cfg *cfg = wm_cfg_build(&arena, 7, 9, source_10, target_10, V1, EXIT);
	(void)state;
	assert_int_equal(wm_propagate(&arena, cfg, probes, 3, counter, NULL, &counts, &error),
		WM_ERROR_UNSOLVABLE);
	for (uint32_t e = 0; e < 5; e++) {
		probes[3].index = e;
		assert_int_equal(
			wm_propagate(&arena, cfg, probes, 4, counter, NULL, &counts, &error), 0);
	}
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_run_that_ends_early),
		cmocka_unit_test(test_a_cycle_with_one_pipe)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
