/* Reading of .wmk files: what is in the sum, and that no bytes whatever make the reader stumble. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/file.h"
#include "synthetic.h"

static const struct synthetic_block blocks[] = {{.state = 1, .counter = 100},
	{.state = 0, .counter = 1000}, {.state = 1, .counter = 10000}};
static const struct synthetic_file usual = {.object_path = "/bin/program",
	.build_id = 0xab,
	.counter_count = 3,
	.totals = {1, 20},
	.runs = {5, 6},
	.commit = WM_COMMIT_MAKE(1, 0),
	.blocks = blocks,
	.block_count = 3};

static int read_status(const char *path, struct wm_file *file, struct wm_error *error)
{
	static struct wm_arena arena;
	wm_arena_reset(&arena);
	return wm_file_read(&arena, path, file, error);
}

static void test_sum_is_current_totals_and_active_blocks(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	synthetic_write_file("a.wmk", &usual);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_string_equal(file.object_path, "/bin/program");
	assert_int_equal(file.counter_count, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(file.counter[i], 20 + 100 + 10000);
	assert_int_equal(file.runs, 6 + 1 + 1);
	assert_int_equal(file.owner_count, 1);
	assert_int_equal(file.owners[0].owner.process, 77);
	assert_string_equal(
		wm_build_id_text(&file.build_id).text, "abababababababababababababababababababab");
}

static void test_folded_block_is_not_counted_twice(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	struct synthetic_file source = usual;
	source.commit = WM_COMMIT_MAKE(0, 4);
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_int_equal(file.counter[2], 1 + 100);
	assert_int_equal(file.runs, 5 + 1);
}

static void test_each_counter_keeps_its_place(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	struct synthetic_file source = usual;
	source.counter_count = 20000;
	synthetic_write_file("a.wmk", &source);
	synthetic_set_counter("a.wmk", 20000, 2, 19999, 7);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_int_equal(file.counter[19999], 20 + 7 + 10000);
	assert_int_equal(file.counter[19998], 20 + 10100);
}

/* A process that no kernel can have: its number is above the highest that can be set. */
enum { NOBODY = 0x40000000 };

static void test_who_was_cut_short(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	const uint32_t self = (uint32_t)getpid();
	const struct synthetic_block threads[] = {
		{.state = 1, .process = NOBODY, .thread = 1, .ended = 1},
		{.state = 1, .process = NOBODY, .thread = 2, .status = 1},
		{.state = 1, .process = self, .thread = 3},
		{.state = 2, .process = self, .thread = 4},
		{.state = 2, .process = self, .thread = 5, .ended = 1},
		{.state = 1, .process = self, .thread = 0, .ended = 1},
		{.state = 1, .thread = 6},
	};
	struct synthetic_file source = usual;
	source.blocks = threads;
	source.block_count = 7;
	source.cut_short[1] = 40;
	source.status[1] = 2;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	/* Folded ones, the thread of the dead, and what the living has let go of. */
	assert_int_equal(file.cut_short, 40 + 1 + 1);
	/* One of the living, and one of which nobody here can tell. */
	assert_int_equal(file.running, 2);
	assert_int_equal(file.status, 3);
	assert_int_equal(file.owner_count, 3);
	assert_true(file.owners[0].gone && !file.owners[1].gone && !file.owners[2].gone);
	assert_int_equal(file.owners[0].thread_count, 2);
	assert_int_equal(file.owners[0].ended_count, 1);
	assert_int_equal(file.owners[1].thread_count, 3);
	assert_int_equal(file.owners[1].ended_count, 1);
}

/* A reset is a block that takes away what was counted before. */
static void test_counters_add_up_modulo_two_to_the_64(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	const struct synthetic_block reset[] = {
		{.state = 1, .counter = 1000}, {.state = 1, .counter = (uint64_t)-993, .ended = 1}};
	struct synthetic_file source = usual;
	source.blocks = reset;
	source.block_count = 2;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_int_equal(file.counter[0], 20 + 7);
}

static void test_one_process_of_several(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	struct wm_arena arena = {0};
	struct wm_owner self, stranger = {.process = 78};
	const struct synthetic_block threads[] = {{.state = 1, .counter = 5},
		{.state = 1, .counter = 70, .process = (uint32_t)getpid(), .thread = 9},
		{.state = 2, .counter = 900, .process = (uint32_t)getpid()}};
	struct synthetic_file source = usual;
	source.blocks = threads;
	source.block_count = 3;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(wm_owner_of_process(getpid(), &self, &error), 0);
	assert_true(self.start > 0);
	assert_int_equal(wm_file_read_process(&arena, "a.wmk", &self, &file, &error), 0);
	assert_int_equal(file.counter[2], 70);
	assert_int_equal(file.runs, 1);
	assert_int_equal(file.running, 1);
	assert_int_equal(
		wm_file_read_process(&arena, "a.wmk", &stranger, &file, &error), WM_ERROR_MISMATCH);
	assert_int_equal(wm_owner_of_process(NOBODY, &self, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "no process 1073741824"));
	wm_arena_reset(&arena);
}

/* They hold what another process may not touch, so their state is nobody's business. */
static void test_chunks_of_unknown_kinds_are_skipped_and_named(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file, other;
	struct wm_arena arena = {0};
	const struct synthetic_block mixed[] = {{.kind = 44, .state = 200, .counter = 5},
		{.state = 1, .counter = 100}, {.kind = 255, .counter = 7}};
	struct synthetic_file source = usual;
	source.blocks = mixed;
	source.block_count = 3;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(wm_file_read(&arena, "a.wmk", &file, &error), 0);
	assert_int_equal(file.counter[0], 20 + 100);
	assert_int_equal(file.runs, 6 + 1);
	assert_string_equal(wm_file_unknown_kinds(&arena, &file), "kind 44, 255");
	synthetic_write_file("a.wmk", &usual);
	assert_int_equal(wm_file_read(&arena, "a.wmk", &other, &error), 0);
	assert_null(wm_file_unknown_kinds(&arena, &other));
	assert_int_equal(wm_file_add(&other, &file, &error), 0);
	assert_string_equal(wm_file_unknown_kinds(&arena, &other), "kind 44, 255");
	wm_arena_reset(&arena);
}

static void test_object_without_counters(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	struct synthetic_file source = usual;
	source.counter_count = 0;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_int_equal(file.counter_count, 0);
}

static void test_files_of_one_build_add_up_and_others_do_not(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_file first, second, foreign;
	struct synthetic_file source = usual;
	synthetic_write_file("a.wmk", &usual);
	source.build_id = 0xcd;
	synthetic_write_file("b.wmk", &source);
	assert_int_equal(wm_file_read(&arena, "a.wmk", &first, &error), 0);
	assert_int_equal(wm_file_read(&arena, "a.wmk", &second, &error), 0);
	assert_int_equal(wm_file_read(&arena, "b.wmk", &foreign, &error), 0);
	assert_int_equal(wm_file_add(&first, &second, &error), 0);
	assert_int_equal(first.counter[1], 2 * 10120);
	assert_int_equal(first.runs, 16);
	assert_int_equal(wm_file_add(&first, &foreign, &error), WM_ERROR_MISMATCH);
	assert_non_null(strstr(error.text, "abababab"));
	assert_non_null(strstr(error.text, "cdcdcdcd"));
	wm_arena_reset(&arena);
}

static void assert_refused(const char *path, const char *reason)
{
	struct wm_error error;
	struct wm_file file;
	assert_int_equal(read_status(path, &file, &error), WM_ERROR_INPUT);
	if (!strstr(error.text, reason))
		fail_msg("'%s' does not say '%s'", error.text, reason);
	assert_null(strchr(error.text, '\n'));
}

static void test_missing_and_foreign_files(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	assert_int_equal(read_status("missing.wmk", &file, &error), WM_ERROR_SYSTEM);
	assert_non_null(strstr(error.text, "missing.wmk"));
	synthetic_spill("foreign.wmk", (const uint8_t *)"#!/bin/sh\necho no\n", 18);
	assert_refused("foreign.wmk", "not a .wmk file");
	synthetic_spill("empty.wmk", (const uint8_t *)"", 0);
	assert_refused("empty.wmk", "is empty");
	assert_refused(".", "not a regular file");
}

static void test_impossible_fields_are_refused(void **state)
{
	(void)state;
	const struct synthetic_block wrong[] = {{.state = 7}};
	struct synthetic_file source = usual;
	source.commit = WM_COMMIT_MAKE(0, 5);
	synthetic_write_file("a.wmk", &source);
	assert_refused("a.wmk", "a chunk that is not there");
	source.commit = (uint64_t)1 << 32;
	synthetic_write_file("a.wmk", &source);
	assert_refused("a.wmk", "a chunk that is not there");
	source.commit = 0;
	source.blocks = wrong;
	source.block_count = 1;
	synthetic_write_file("a.wmk", &source);
	assert_refused("a.wmk", "state");
}

/* Rewrites a header field and makes the checksum right again. */
static void forge(size_t offset, const void *value, size_t bytes)
{
	size_t count;
	struct wm_file_header header;
	synthetic_write_file("a.wmk", &usual);
	uint8_t *contents = synthetic_slurp("a.wmk", &count);
	memcpy(contents + offset, value, bytes);
	memcpy(&header, contents, sizeof header);
	header.identity_checksum = wm_file_identity_checksum(&header);
	memcpy(contents, &header, sizeof header);
	synthetic_spill("a.wmk", contents, count);
	free(contents);
}

static void test_forged_headers_are_refused(void **state)
{
	(void)state;
	uint64_t huge = UINT64_MAX - 7, odd = 25, stride = 8192, none = 0;
	uint32_t version = 1, many = 33;
	char path[WM_OBJECT_PATH_BYTES];
	memset(path, 'x', sizeof path);
	forge(offsetof(struct wm_file_header, counter_bytes), &huge, 8);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, counter_bytes), &odd, 8);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, unit_bytes), &stride, 8);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, unit_bytes), &none, 8);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, build_id_bytes), &many, 4);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, object_path), path, sizeof path);
	assert_refused("a.wmk", "out of range");
	forge(offsetof(struct wm_file_header, version), &version, 4);
	assert_refused("a.wmk", "format version 1");
}

static void test_number_of_chunks(void **state)
{
	(void)state;
	const uint64_t counts[] = {0, 1, 6, UINT64_MAX};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		forge(offsetof(struct wm_file_header, unit_count), &counts[i], 8);
		assert_refused("a.wmk", i == 2 ? "truncated" : "number of units");
	}
}

/* What lies behind the last chunk is space for the next one. */
static void test_space_behind_the_last_chunk_is_ignored(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	synthetic_write_file("a.wmk", &usual);
	for (size_t bytes = 6 * 4096; bytes < 8 * 4096; bytes += 1000) {
		synthetic_cut("a.wmk", bytes);
		assert_int_equal(read_status("a.wmk", &file, &error), 0);
		assert_int_equal(file.counter[0], 20 + 100 + 10000);
	}
}

static void test_truncation_at_every_length(void **state)
{
	(void)state;
	size_t count = 5 * 4096 + 64 + 3 * 8;
	synthetic_write_file("a.wmk", &usual);
	while (count-- > 0) {
		struct wm_error error;
		struct wm_file file;
		synthetic_cut("a.wmk", count);
		int status = read_status("a.wmk", &file, &error);
		if (status != WM_ERROR_INPUT)
			fail_msg("length %zu gives %d", count, status);
	}
}

static void test_totals_never_written_are_zero(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_file file;
	struct synthetic_file source = usual;
	source.runs[1] = source.totals[1] = 0;
	synthetic_write_file("a.wmk", &source);
	assert_int_equal(read_status("a.wmk", &file, &error), 0);
	assert_int_equal(file.counter[0], 100 + 10000);
	synthetic_set_counter("a.wmk", 3, 1, 2, 1);
	assert_refused("a.wmk", "checksum");
}

/* A flip in the identity or in the current totals is always found; elsewhere the reader must only
 * survive. */
static void test_bit_flips(void **state)
{
	(void)state;
	const size_t identity = offsetof(struct wm_file_header, commit);
	const size_t totals = 2 * 4096;
	synthetic_write_file("a.wmk", &usual);
	srand(1994);
	for (int i = 0; i < 30000; i++) {
		size_t byte = (size_t)rand() % (i % 2 ? 6 * 4096 : identity);
		uint8_t bit = (uint8_t)(1 << rand() % 8);
		struct wm_error error;
		struct wm_file file;
		if (i % 3 == 0)
			byte = totals + 64 + (size_t)rand() % 24;
		synthetic_flip("a.wmk", byte, bit);
		int status = read_status("a.wmk", &file, &error);
		if (byte < identity || i % 3 == 0)
			assert_int_equal(status, WM_ERROR_INPUT);
		synthetic_flip("a.wmk", byte, bit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum_is_current_totals_and_active_blocks),
		cmocka_unit_test(test_folded_block_is_not_counted_twice),
		cmocka_unit_test(test_each_counter_keeps_its_place),
		cmocka_unit_test(test_who_was_cut_short),
		cmocka_unit_test(test_counters_add_up_modulo_two_to_the_64),
		cmocka_unit_test(test_one_process_of_several),
		cmocka_unit_test(test_chunks_of_unknown_kinds_are_skipped_and_named),
		cmocka_unit_test(test_object_without_counters),
		cmocka_unit_test(test_files_of_one_build_add_up_and_others_do_not),
		cmocka_unit_test(test_missing_and_foreign_files),
		cmocka_unit_test(test_impossible_fields_are_refused),
		cmocka_unit_test(test_forged_headers_are_refused),
		cmocka_unit_test(test_number_of_chunks),
		cmocka_unit_test(test_space_behind_the_last_chunk_is_ignored),
		cmocka_unit_test(test_truncation_at_every_length),
		cmocka_unit_test(test_totals_never_written_are_zero),
		cmocka_unit_test(test_bit_flips),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
