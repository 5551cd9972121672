/* Source records: what goes in comes out; what is damaged is refused, with the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/base/none.h"
#include "format/description.h"
#include "profile/source_records.h"
#include "synthetic_source.h"

static struct wm_source_records read_section(
	struct wm_arena *arena, const struct synthetic_section *section)
{
	struct wm_source_records records;
	struct wm_error error;
	if (wm_source_records_read(arena, "app", section->bytes, section->count, &records, &error))
		fail_msg("%s", error.text);
	return records;
}

static void test_a_record_is_read_as_it_was_written(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct synthetic_section section = {0};
	const struct wm_source sum = synthetic_sum();
	synthetic_add_source(&arena, &section, &sum);
	struct wm_source_records records = read_section(&arena, &section);
	assert_int_equal(records.count, 1);
	const struct wm_source *read = &records.records[0];
	assert_string_equal(read->name, "sum");
	assert_string_equal(read->files[0], "/src/sum.c");
	assert_int_equal(read->block_count, 6);
	assert_memory_equal(read->may_be_left, sum.may_be_left, 6 * sizeof(bool));
	assert_memory_equal(read->blocks, sum.blocks, 6 * sizeof *sum.blocks);
	assert_memory_equal(read->lines, sum.lines, 8 * sizeof *sum.lines);
	assert_memory_equal(read->edge_source, sum.edge_source, 8 * sizeof(uint32_t));
	assert_memory_equal(read->edge_target, sum.edge_target, 8 * sizeof(uint32_t));
	assert_int_equal(read->region_count, 5);
	assert_int_equal(read->regions[2].kind, WM_SOURCE_GAP);
	assert_int_equal(read->regions[3].last.line, 16);
	assert_int_equal(read->regions[4].term.plus[0], 3);
	assert_int_equal(wm_source_branch_of(read, 2)->condition.column, 21);
	assert_int_equal(wm_source_branch_of(read, 2)->arms[1].outcome, WM_SOURCE_NO);
	assert_null(wm_source_branch_of(read, 3));
	assert_string_equal(read->calls[0].callee, "odd");
	wm_arena_reset(&arena);
}

static void test_an_edge_may_come_from_exit(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_source sum = synthetic_sum();
	uint32_t from[8], beyond[8];
	struct synthetic_section good = {0}, bad = {0};
	memcpy(from, sum.edge_source, sizeof from);
	from[6] = sum.block_count;
	memcpy(beyond, from, sizeof from);
	beyond[6] = sum.block_count + 1;
	sum.edge_source = from;
	synthetic_add_source(&arena, &good, &sum);
	assert_int_equal(read_section(&arena, &good).records[0].edge_source[6], 6);
	sum.edge_source = beyond;
	synthetic_add_source(&arena, &bad, &sum);
	struct wm_source_records records;
	struct wm_error error;
	assert_int_equal(
		wm_source_records_read(&arena, "app", bad.bytes, bad.count, &records, &error),
		WM_ERROR_INPUT);
	assert_string_equal(error.text, "app: the source record of function 'sum' is damaged: "
					"an edge comes from no block; build the program again");
	wm_arena_reset(&arena);
}

static void test_equal_text_is_one_record_and_lists_mark_it(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct synthetic_section section = {0};
	struct wm_source sum = synthetic_sum(), other = sum;
	other.name = "other";
	synthetic_add_source(&arena, &section, &sum);
	synthetic_add_source(&arena, &section, &other);
	synthetic_add_source(&arena, &section, &sum);
	struct wm_source_records records = read_section(&arena, &section);
	assert_int_equal(records.count, 2);
	assert_false(records.uncounted[0] || records.uncounted[1]);
	size_t bytes;
	const uint8_t *body = wm_source_encode(&arena, &sum, &bytes);
	const uint64_t key = wm_description_hash(body, bytes), keys[] = {key, 77};
	synthetic_add_keys(&arena, &section, WM_UNCOUNTED_MAGIC, keys, 2);
	synthetic_add_keys(&arena, &section, WM_PURE_MAGIC, &key, 1);
	records = read_section(&arena, &section);
	assert_int_equal(records.count, 2);
	uint32_t number = wm_source_records_find(&records, key);
	assert_string_equal(records.records[number].name, "sum");
	assert_true(records.uncounted[number] && records.pure[number]);
	assert_false(records.uncounted[1 - number] || records.pure[1 - number]);
	assert_int_equal(wm_source_records_find(&records, 77), WM_NONE);
	wm_arena_reset(&arena);
}

static void test_damage_is_refused_with_its_place(void **state)
{
	(void)state;
	static const struct {
		size_t byte;
		const char *text;
	} cases[] = {
		{0, "it starts with no magic number"},
		{6, "it is longer than its section"},
		{8, "its key does not match its contents"},
		{20, "its key does not match its contents"},
	};
	struct wm_arena arena = {0};
	struct synthetic_section section = {0};
	const struct wm_source sum = synthetic_sum();
	synthetic_add_source(&arena, &section, &sum);
	struct wm_source_records records;
	struct wm_error error;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		section.bytes[cases[i].byte] ^= 0x40;
		assert_int_equal(wm_source_records_read(&arena, "app", section.bytes, section.count,
					 &records, &error),
			WM_ERROR_INPUT);
		assert_non_null(strstr(error.text, "app: the source record at offset 0"));
		assert_non_null(strstr(error.text, cases[i].text));
		section.bytes[cases[i].byte] ^= 0x40;
	}
	assert_int_equal(wm_source_records_read(&arena, "app", section.bytes, 8, &records, &error),
		WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "it ends in its head"));
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_record_is_read_as_it_was_written),
		cmocka_unit_test(test_an_edge_may_come_from_exit),
		cmocka_unit_test(test_equal_text_is_one_record_and_lists_mark_it),
		cmocka_unit_test(test_damage_is_refused_with_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
