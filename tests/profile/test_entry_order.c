/* Entries are ordered as by the library's sort, which compares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "profile/entry_order.h"
#include "profile/file.h"

enum { MAX_ENTRIES = 2000, ROUNDS = 60 };

static uint64_t state = 77;

static uint64_t next(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state ^ (state >> 29);
}

static int by_key(const void *left, const void *right)
{
	const struct wm_file_entry *a = left, *b = right;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->count < b->count ? -1 : a->count > b->count;
}

static int by_counter(const void *left, const void *right)
{
	const struct wm_file_entry *a = left, *b = right;
	if (a->counter != b->counter)
		return a->counter < b->counter ? -1 : 1;
	return by_key(left, right);
}

/* Words of few or many bytes. An entry's count is its place, by which equal keys stay in order. */
static uint64_t make(struct wm_file_entry *entries, int round)
{
	uint64_t count = round < 3 ? (uint64_t)round : next() % MAX_ENTRIES;
	unsigned counter_bits = (unsigned)(next() % 64), key_bits = (unsigned)(next() % 64);
	for (uint64_t i = 0; i < count; i++)
		entries[i] = (struct wm_file_entry){next() >> counter_bits, next() >> key_bits, i};
	return count;
}

static void test_orders(void **unused)
{
	(void)unused;
	static struct wm_file_entry entries[MAX_ENTRIES], expected[MAX_ENTRIES];
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t count = make(entries, round);
		memcpy(expected, entries, sizeof entries);
		wm_entries_order_by_key(entries, count);
		qsort(expected, count, sizeof *expected, by_key);
		assert_memory_equal(entries, expected, sizeof entries);
		wm_entries_order(entries, count);
		qsort(expected, count, sizeof *expected, by_counter);
		assert_memory_equal(entries, expected, sizeof entries);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
