/* The reader of mapped pages, on pages made here and with a counter of our own: there is no PMU in
 * most machines that run the tests. Each expected count is reckoned by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/meters/page.h"

static struct perf_event_mmap_page page;
static uint64_t counter;
static uint32_t asked;	 /* for which counter */
static unsigned changes; /* how often the kernel changes the page while it is read */

static uint64_t read_counter(uint32_t number)
{
	asked = number;
	if (changes > 0) {
		changes--;
		page.lock += 2;
		page.offset += 1000;
	}
	return counter;
}

static void set(uint32_t index, uint16_t width, int64_t offset, uint64_t value)
{
	page = (struct perf_event_mmap_page){
		.index = index, .pmc_width = width, .offset = offset, .lock = 4};
	page.cap_user_rdpmc = 1;
	counter = value;
	changes = 0;
}

static uint64_t count(void)
{
	uint64_t count = 0;
	assert_int_equal(wm_meter_page_read(&page, read_counter, &count), 0);
	return count;
}

static void refuse(void)
{
	uint64_t count = 7;
	assert_int_equal(wm_meter_page_read(&page, read_counter, &count), -1);
	assert_int_equal(count, 7);
}

static void test_offset_and_counter_add_up(void **state)
{
	(void)state;
	set(1, 48, 100, 23);
	assert_int_equal(count(), 123);
	assert_int_equal(asked, 0);
	set(1 << 30, 48, 0, 5);
	count();
	assert_int_equal(asked, (1 << 30) - 1);
}

/* The kernel sets a counter to minus the distance to its overflow, which the offset makes up for.
 */
static void test_counter_below_zero(void **state)
{
	(void)state;
	set(2, 48, 1ll << 47, (1ull << 48) - (1ull << 47) + 12);
	assert_int_equal(count(), 12);
	set(2, 40, 1ll << 39, (1ull << 40) - (1ull << 39) + 345);
	assert_int_equal(count(), 345);
	set(2, 64, 50, (uint64_t)-20);
	assert_int_equal(count(), 30);
}

/* Bits above its width are not the counter's. */
static void test_width(void **state)
{
	(void)state;
	set(2, 40, 0, 1ull << 50 | 9);
	assert_int_equal(count(), 9);
	set(2, 48, -9, 9);
	assert_int_equal(count(), 0);
}

static void test_page_changes_while_it_is_read(void **state)
{
	(void)state;
	set(1, 48, 0, 1);
	changes = 3;
	assert_int_equal(count(), 3001);
	set(1, 48, 0, 1);
	changes = WM_PAGE_TRIES;
	refuse();
}

static void test_page_that_is_being_written(void **state)
{
	(void)state;
	set(1, 48, 0, 1);
	page.lock = 5;
	refuse();
}

static void test_no_counter_now(void **state)
{
	(void)state;
	set(0, 48, 0, 1);
	refuse();
	set(1, 0, 0, 1);
	refuse();
	set(1, 65, 0, 1);
	refuse();
	set(1, 48, 0, 1);
	page.cap_user_rdpmc = 0;
	refuse();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_offset_and_counter_add_up),
		cmocka_unit_test(test_counter_below_zero), cmocka_unit_test(test_width),
		cmocka_unit_test(test_page_changes_while_it_is_read),
		cmocka_unit_test(test_page_that_is_being_written),
		cmocka_unit_test(test_no_counter_now)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
