/* Order by weight: every number once, by weight, equal weights in rising order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/order.h"
#include "support/random_graph.h"

enum { ROUNDS = 2000, MAX_ITEMS = 300 };

static void check(const double *weight, uint32_t count, bool rising)
{
	struct wm_arena arena = {0};
	const uint32_t *order = wm_order_by_weight(&arena, weight, count, rising);
	bool *seen = wm_arena_alloc(&arena, count, sizeof *seen);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(order[i] < count && !seen[order[i]]);
		seen[order[i]] = true;
		if (!i)
			continue;
		double before = weight[order[i - 1]], here = weight[order[i]];
		assert_true(rising ? before <= here : before >= here);
		assert_true(before != here || order[i - 1] < order[i]);
	}
	wm_arena_reset(&arena);
}

static double random_weight(struct random_source *source)
{
	static const double special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, 5e-324, -5e-324};
	switch (random_below(source, 5)) {
	case 0:
		return special[random_below(source, sizeof special / sizeof *special)];
	case 1:
		return random_below(source, 5);
	case 2:
		return -(double)random_below(source, UINT32_MAX) / 7;
	case 3:
		/* These agree in the upper half of their bits. */
		return 3 + ldexp(random_below(source, 1000), -50);
	default:
		return ldexp(random_below(source, UINT32_MAX) / 3.0,
			(int)random_below(source, 600) - 300);
	}
}

static void all_weights_in_both_directions(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(3);
	double weight[MAX_ITEMS];
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t count = random_below(&source, MAX_ITEMS + 1);
		for (uint32_t i = 0; i < count; i++)
			weight[i] = random_weight(&source);
		check(weight, count, true);
		check(weight, count, false);
	}
}

static void zeros_of_both_signs_are_equal(void **state)
{
	(void)state;
	const double weight[] = {-0.0, 0.0, -0.0, 0.0};
	struct wm_arena arena = {0};
	for (int rising = 0; rising <= 1; rising++) {
		const uint32_t *order = wm_order_by_weight(&arena, weight, 4, rising);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(order[i], i);
	}
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_weights_in_both_directions),
		cmocka_unit_test(zeros_of_both_signs_are_equal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
