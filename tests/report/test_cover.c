/* The estimate of new paths, on an example reckoned by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/cover.h"

/* Three runs take {a, b}, {a, c} and {a, b, d}: c and d once, b twice, a three times. The chance is
 * 2/7 * (2*2) / (2*2 + 2*1) = 4/21, so what was seen covers 0.8095. */
static void three_runs(void **state)
{
	(void)state;
	assert_true(fabs(wm_cover_chance(3, 2, 1, 7) - 4.0 / 21) < 1e-12);
	assert_true(fabs(1 - wm_cover_chance(3, 2, 1, 7) - 0.8095) < 1e-4);
}

static void nothing_new(void **state)
{
	(void)state;
	assert_true(wm_cover_chance(10, 0, 3, 20) == 0);
	/* Every path in one run only: all of the next run is new. */
	assert_true(wm_cover_chance(10, 20, 0, 20) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_runs), cmocka_unit_test(nothing_new)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
