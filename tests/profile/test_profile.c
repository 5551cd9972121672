/* Joining files and objects: counts after the flow law, and line counts merged over instances. */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/lines.h"
#include "profile/profile.h"
#include "report/profile_json.h"
#include "report/views.h"
#include "synthetic.h"

/* The loop's counters: 9 times back, 2 times out. So block 0 and 2 ran twice, block 1 eleven times.
 */
static void write_pair(const struct wm_function *functions, size_t count)
{
	synthetic_write_object("object",
		&(struct synthetic_object){
			.functions = functions, .function_count = count, .build_id = 0x12});
	const struct synthetic_block run = {.state = 1};
	synthetic_write_file("a.wmk", &(struct synthetic_file){.object_path = "object",
					      .build_id = 0x12,
					      .counter_count = 2 * count,
					      .blocks = &run,
					      .block_count = 1});
	synthetic_set_counter("a.wmk", 2 * count, 2, 0, 9);
	synthetic_set_counter("a.wmk", 2 * count, 2, 1, 2);
}

static int join(struct wm_arena *arena, const char *binary, struct wm_profile *profile,
	struct wm_error *error)
{
	struct wm_file file;
	assert_int_equal(wm_file_read(arena, "a.wmk", &file, error), 0);
	return wm_profile_make(arena, &file, binary, profile, error);
}

static void test_counts_follow_the_flow_law(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	const struct wm_function functions[] = {synthetic_loop("ran"), synthetic_loop("idle")};
	write_pair(functions, 2);
	if (join(&arena, NULL, &profile, &error) != 0)
		fail_msg("%s", error.text);
	const struct wm_profile_function *ran = &profile.functions[0];
	const uint64_t blocks[] = {2, 11, 2}, edges[] = {2, 9, 2, 2};
	assert_memory_equal(ran->block, blocks, sizeof blocks);
	assert_memory_equal(ran->edge, edges, sizeof edges);
	assert_int_equal(ran->calls, 2);
	assert_int_equal(ran->instructions, 2 * 1 + 11 * 5 + 2 * 2);
	assert_int_equal(profile.functions[1].calls, 0);
	assert_int_equal(profile.executed_functions, 1);
	assert_int_equal(profile.instructions, 61);
	assert_int_equal(profile.counters, 4);
	assert_int_equal(profile.blocks, 6);
	assert_int_equal(profile.increments, 11);
	assert_int_equal(profile.block_entries, 15);
	wm_arena_reset(&arena);
}

static void test_another_build_is_refused_with_both_ids(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	const struct wm_function function = synthetic_loop("loop");
	write_pair(&function, 1);
	synthetic_write_object(
		"other", &(struct synthetic_object){
				 .functions = &function, .function_count = 1, .build_id = 0x34});
	assert_int_equal(join(&arena, "other", &profile, &error), WM_ERROR_MISMATCH);
	assert_non_null(strstr(error.text, "1212121212121212121212121212121212121212"));
	assert_non_null(strstr(error.text, "3434343434343434343434343434343434343434"));
	wm_arena_reset(&arena);
}

static void test_another_number_of_counters_is_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	const struct wm_function functions[] = {synthetic_loop("one"), synthetic_loop("two")};
	write_pair(functions, 2);
	synthetic_write_object(
		"object", &(struct synthetic_object){
				  .functions = functions, .function_count = 1, .build_id = 0x12});
	assert_int_equal(join(&arena, NULL, &profile, &error), WM_ERROR_MISMATCH);
	wm_arena_reset(&arena);
}

static void test_too_few_counters_are_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	struct wm_probe probes[] = {{WM_PROBE_EDGE, 0}, {WM_PROBE_EDGE, 3}};
	struct wm_function function = synthetic_loop("loop");
	struct wm_counters_section counters = *function.counters;
	counters.probes = probes;
	function.counters = &counters;
	write_pair(&function, 1);
	assert_int_equal(join(&arena, NULL, &profile, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "'loop'"));
	wm_arena_reset(&arena);
}

static const struct wm_line *find_line(
	const struct wm_lines *lines, const char *path, uint32_t line)
{
	for (size_t i = 0; i < lines->file_count; i++)
		for (size_t k = 0; k < lines->files[i].line_count; k++)
			if (strcmp(lines->files[i].path, path) == 0 &&
				lines->files[i].lines[k].line == line)
				return &lines->files[i].lines[k];
	return NULL;
}

static void assert_line(
	const struct wm_lines *lines, const char *path, uint32_t line, uint64_t count)
{
	const struct wm_line *found = find_line(lines, path, line);
	if (!found)
		fail_msg("%s:%u is missing", path, line);
	assert_int_equal(found->count, count);
}

/* What a reader does with a profile that it accepts: all of it must survive any description. */
static void use(struct wm_arena *arena, const struct wm_profile *profile)
{
	struct wm_lines lines;
	FILE *nowhere = fopen("/dev/null", "we");
	struct wm_error error;
	wm_lines_count(arena, profile, &lines, &error);
	wm_profile_json_write(profile, NULL, NULL, 0, nowhere);
	for (enum wm_view view = WM_VIEW_OVERVIEW; view <= WM_VIEW_CALLS; view++)
		wm_view_print(profile, &(struct wm_view_request){.view = view, .top = 10}, nowhere);
	fclose(nowhere);
}

/* Changes one byte of the only record's body and makes its hash right again. */
static void forge(const uint8_t *object, size_t bytes, size_t offset, uint8_t flip)
{
	const uint32_t magic = WM_DESCRIPTION_MAGIC;
	uint8_t *copy = malloc(bytes);
	struct wm_description_head head;
	memcpy(copy, object, bytes);
	uint8_t *record = memmem(copy, bytes, &magic, sizeof magic);
	memcpy(&head, record, sizeof head);
	record[sizeof head + offset] ^= flip;
	head.hash = wm_description_hash(record + sizeof head, head.bytes - sizeof head);
	memcpy(record, &head, sizeof head);
	synthetic_spill("object", copy, bytes);
	free(copy);
}

static size_t body_bytes(const struct wm_function *function)
{
	struct wm_arena arena = {0};
	size_t bytes;
	wm_description_encode(&arena, function, &bytes);
	wm_arena_reset(&arena);
	return bytes;
}

static void test_hostile_descriptions_with_right_hashes(void **state)
{
	(void)state;
	const struct wm_function function = synthetic_loop("loop");
	size_t bytes, body = body_bytes(&function), accepted = 0;
	write_pair(&function, 1);
	uint8_t *object = synthetic_slurp("object", &bytes);
	for (size_t i = 0; i < 8 * body; i++) {
		struct wm_arena arena = {0};
		struct wm_error error;
		struct wm_profile profile;
		forge(object, bytes, i / 8, (uint8_t)(1 << i % 8));
		int status = join(&arena, NULL, &profile, &error);
		assert_true(status == 0 || status == WM_ERROR_INPUT);
		if (status == 0)
			use(&arena, &profile);
		accepted += status == 0;
		wm_arena_reset(&arena);
	}
	assert_in_range(accepted, 1, 8 * body - 1);
	free(object);
}

/* Function f of a.c calls an inlined function of b.h twice, from lines 2 and 3; function g of a.c
 * has a line in common with f, as a template's instances have. */
static void test_lines_take_the_maximum_within_an_instance_and_add_over_instances(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_lines lines;
	struct wm_scope f_scopes[] = {
		{"f", "a.c", 1, 0, 0}, {"in", "b.h", 7, 0, 2}, {"in", "b.h", 7, 0, 3}};
	struct wm_position f_positions[] = {{0, 2}, {1, 8}, {1, 8}, {2, 8}, {0, 0}, {0, 4}, {0, 2}};
	struct wm_block f_blocks[] = {{1, 0, 2}, {1, 2, 3}, {1, 5, 1}, {1, 6, 1}};
	const uint64_t f_counts[] = {10, 40, 0, 3};
	struct wm_scope g_scopes[] = {{"g", "a.c", 1, 0, 0}, {"h", "", 0, 0, 2}};
	struct wm_position g_positions[] = {{0, 2}, {1, 99}};
	struct wm_block g_blocks[] = {{1, 0, 2}};
	const uint64_t g_counts[] = {1000};
	const struct wm_function f = {.name = "f",
		.block_count = 4,
		.blocks = f_blocks,
		.position_count = 7,
		.positions = f_positions,
		.scope_count = 3,
		.scopes = f_scopes};
	const struct wm_function g = {.name = "g",
		.block_count = 1,
		.blocks = g_blocks,
		.position_count = 2,
		.positions = g_positions,
		.scope_count = 2,
		.scopes = g_scopes};
	struct wm_profile_function functions[] = {
		{.function = &f, .block = f_counts}, {.function = &g, .block = g_counts}};
	const struct wm_profile profile = {.function_count = 2, .functions = functions};
	struct wm_error error;
	assert_int_equal(wm_lines_count(&arena, &profile, &lines, &error), 0);
	assert_int_equal(lines.file_count, 2);
	assert_line(&lines, "a.c", 2, 10 + 1000); /* f: blocks 0 (10) and 3 (3); g: 1000 */
	assert_line(&lines, "b.h", 8, 40 + 40);	  /* two inlined calls: max(10, 40) and 40 */
	assert_line(&lines, "a.c", 4, 0);	  /* executable, never executed */
	assert_null(find_line(&lines, "a.c", 0));
	assert_line(&lines, "a.c", 3, 40); /* only an inlined call, entered in block 1 */
	assert_null(find_line(&lines, "", 99));
	wm_arena_reset(&arena);
}

static void write_loop_with_copies(uint32_t *original)
{
	struct wm_function function = synthetic_loop("loop");
	function.flags |= WM_DESCRIPTION_PEELED;
	function.original = original;
	write_pair(&function, 1);
}

/* Block 2 of the loop as a copy of block 1, which ran 11 times; it ran twice itself. */
static void test_lines_run_as_often_as_a_block_and_its_copies(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	struct wm_lines lines;
	uint32_t original[] = {0, 1, 1};
	write_loop_with_copies(original);
	if (join(&arena, NULL, &profile, &error) != 0)
		fail_msg("%s", error.text);
	wm_lines_count(&arena, &profile, &lines, &error);
	assert_line(&lines, "/src/loop.c", 10, 2);
	assert_line(&lines, "/src/loop.c", 11, 11 + 2);
	assert_line(&lines, "/src/loop.c", 13, 11 + 2);
	wm_arena_reset(&arena);
}

static void test_copies_of_copies_are_refused(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_profile profile;
	uint32_t original[] = {0, 0, 1};
	write_loop_with_copies(original);
	assert_int_equal(join(&arena, NULL, &profile, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "a block is a copy of a copy"));
	wm_arena_reset(&arena);
}

static void test_program_without_debug_information_has_no_lines(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	struct wm_lines lines;
	struct wm_error error;
	const struct wm_profile profile = {.function_count = 0};
	wm_lines_count(&arena, &profile, &lines, &error);
	assert_int_equal(lines.file_count, 0);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_follow_the_flow_law),
		cmocka_unit_test(test_another_build_is_refused_with_both_ids),
		cmocka_unit_test(test_another_number_of_counters_is_refused),
		cmocka_unit_test(test_too_few_counters_are_refused),
		cmocka_unit_test(test_hostile_descriptions_with_right_hashes),
		cmocka_unit_test(
			test_lines_take_the_maximum_within_an_instance_and_add_over_instances),
		cmocka_unit_test(test_lines_run_as_often_as_a_block_and_its_copies),
		cmocka_unit_test(test_copies_of_copies_are_refused),
		cmocka_unit_test(test_program_without_debug_information_has_no_lines),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
