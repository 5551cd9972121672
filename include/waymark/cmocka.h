/* cmocka: each test is a label. Include this behind cmocka.h; cmocka_run_group_tests and
 * cmocka_run_group_tests_name then run tests that tell their names. */
#ifndef WAYMARK_CMOCKA_H
#define WAYMARK_CMOCKA_H

#include <stdlib.h>

#include "waymark.h"

struct waymark_test {
	const struct CMUnitTest *test;
	int has_ended; /* its function came back */
};

static void *waymark_group_state;
static CMFixtureFunction waymark_group_setup, waymark_group_teardown;

/* A group's state would take the place of each test's own, which says here which test it is. */
static inline int waymark_set_up_group(void **state)
{
	int status = waymark_group_setup ? waymark_group_setup(state) : 0;
	waymark_group_state = *state;
	*state = NULL;
	return status;
}

static inline int waymark_tear_down_group(void **state)
{
	*state = waymark_group_state;
	return waymark_group_teardown ? waymark_group_teardown(state) : 0;
}

static struct waymark_test *waymark_current;

static inline int waymark_set_up(void **state)
{
	struct waymark_test *own = waymark_current = (struct waymark_test *)*state;
	*state = waymark_group_state ? waymark_group_state : own->test->initial_state;
	waymark_label(own->test->name);
	return own->test->setup_func ? own->test->setup_func(state) : 0;
}

static inline void waymark_run_test(void **state)
{
	struct waymark_test *own = waymark_current;
	own->test->test_func(state);
	own->has_ended = 1; /* a test that fails leaves by longjmp */
}

static inline int waymark_tear_down(void **state)
{
	struct waymark_test *own = waymark_current;
	int status = own->test->teardown_func ? own->test->teardown_func(state) : 0;
	waymark_outcome(!own->has_ended || status);
	waymark_label(NULL);
	return status;
}

static inline int waymark_run_group(const char *name, const struct CMUnitTest *tests, size_t count,
	CMFixtureFunction setup, CMFixtureFunction teardown)
{
	struct CMUnitTest *own = (struct CMUnitTest *)calloc(count + 1, sizeof *own);
	struct waymark_test *kept = (struct waymark_test *)calloc(count + 1, sizeof *kept);
	int status = 1;
	for (size_t i = 0; own && kept && i < count; i++) {
		kept[i].test = &tests[i];
		own[i] = tests[i];
		own[i].test_func = waymark_run_test;
		own[i].setup_func = waymark_set_up;
		own[i].teardown_func = waymark_tear_down;
		own[i].initial_state = &kept[i];
	}
	waymark_group_setup = setup;
	waymark_group_teardown = teardown;
	if (own && kept)
		status = _cmocka_run_group_tests(name, own, count, waymark_set_up_group,
			waymark_tear_down_group);
	free(own);
	free(kept);
	return status;
}

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
	waymark_run_group(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
	waymark_run_group(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
