/* What people and programs read: numbers, names, listings, JSON, annotated source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/annotate.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/terminal.h"
#include "report/text.h"

static void test_counts_and_shares(void **state)
{
	(void)state;
	assert_string_equal(wm_text_count(0).text, "0");
	assert_string_equal(wm_text_count(999).text, "999");
	assert_string_equal(wm_text_count(1000).text, "1,000");
	assert_string_equal(wm_text_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
	assert_string_equal(wm_text_share(1, 3).text, "33.3%");
	assert_string_equal(wm_text_share(0, 0).text, "-");
	assert_string_equal(wm_text_duration(0).text, "0 seconds");
	assert_string_equal(wm_text_duration(60).text, "1 minute");
	assert_string_equal(wm_text_duration(24 * 3600 - 1).text, "23 hours");
	assert_string_equal(wm_text_duration(48 * 3600).text, "2 days");
}

static void test_names(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	assert_string_equal(wm_text_name(&arena, "main"), "main");
	assert_string_equal(wm_text_name(&arena, "_ZN3foo3barEi"), "foo::bar(int)");
	assert_string_equal(wm_text_name(&arena, "_Z3maxIiET_S0_S0_"), "max<int>(int, int)");
	assert_string_equal(wm_text_name(&arena, "_Znonsense"), "_Znonsense");
	wm_arena_reset(&arena);
}

static void test_short_names(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	static const char *const names[][2] = {{"main", "main"}, {"_ZN3foo3barEi", "foo::bar"},
		{"_Z3maxIiET_S0_S0_", "max"}, {"_ZN1aclEi", "a::operator()"},
		{"_ZlsR1ai", "operator<<"}, {"_ZN1aIiEixEi", "a::operator[]"},
		{"_ZN12_GLOBAL__N_11fEv", "f"}, {"_ZNK1a1bIiEEvv", "a::b"},
		{"_ZmiI1AEiT_S1_", "operator-"}, {"_ZeqI1AEbT_S1_", "operator=="},
		{"_ZltI1AEbT_S1_", "operator<"}, {"_ZgtI1AEbT_S1_", "operator>"},
		{"_ZssI1AEiT_S1_", "operator<=>"}, {"_ZleI1AEbT_S1_", "operator<="},
		{"_ZN1aptEv", "a::operator->"}, {"_Z1fi.isra.0", "f"},
		{"_ZZ1fiENKUliE_clEi", "f::{lambda#1}::operator()"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(wm_text_short_name(&arena, names[i][0]), names[i][1]);
	assert_string_equal(wm_text_end(&arena, "parse:1", 7), "parse:1");
	assert_string_equal(wm_text_end(&arena, "parser:1", 7), "...er:1");
	wm_arena_reset(&arena);
}

static void test_clean_text_cannot_steer_a_terminal(void **state)
{
	(void)state;
	struct wm_arena arena = {0};
	assert_string_equal(
		wm_text_clean(&arena, "\t  for (;;)\t\tx\033[2J;\r"), "for (;;) x?[2J; ");
	assert_string_equal(wm_text_clean(&arena, ""), "");
	wm_arena_reset(&arena);
}

/* Everything the function prints, in memory. */
static char *printed(void (*print)(FILE *out))
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	print(out);
	fclose(out);
	return text;
}

static void print_listing(FILE *out)
{
	static const struct wm_column columns[] = {{.title = "n", .right = true},
		{.title = "name", .widest = 8}, {.title = "path", .widest = 8, .keep_end = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 3};
	const char *cells[] = {"1", "short", "a.c:1", "1,000", "much_too_long", "/very/long/b.c",
		"20", "na\xc3\xafve", "c"};
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		wm_listing_add(&listing, "%s", cells[i]);
	wm_listing_print(&listing, out, false);
	wm_arena_reset(&arena);
}

static void test_listings_align_and_cut(void **state)
{
	(void)state;
	char *text = printed(print_listing);
	assert_string_equal(text, "      n  name      path\n"
				  "      1  short     a.c:1\n"
				  "  1,000  much_...  ...g/b.c\n"
				  "     20  na\xc3\xafve     c\n");
	free(text);
}

/* Writes a line of 60 characters, if there is room for it. */
static void print_long_cell(FILE *out)
{
	static const struct wm_column columns[] = {{.title = "n"}, {.title = "text"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 2};
	wm_listing_add(&listing, "1");
	wm_listing_add(&listing, "%055d", 7);
	wm_listing_print(&listing, out, false);
	wm_text_print_wrapped("one two three four five six seven eight nine ten\n", out);
	wm_arena_reset(&arena);
}

static void test_lines_are_as_wide_as_the_terminal(void **state)
{
	(void)state;
	setenv("COLUMNS", "60", 1);
	char *text = printed(print_long_cell);
	assert_non_null(
		strstr(text, "\n  1  0000000000000000000000000000000000000000000000000000007\n"));
	assert_non_null(strstr(text, "\none two three four five six seven eight nine ten\n"));
	free(text);
	setenv("COLUMNS", "42", 1);
	text = printed(print_long_cell);
	assert_non_null(strstr(text, "\n  1  0000000000000000000000000000000000...\n"));
	assert_non_null(strstr(text, "\none two three four five six seven eight\n  nine ten\n"));
	free(text);
	unsetenv("COLUMNS");
}

static void print_wrapped_cell(FILE *out)
{
	static const struct wm_column columns[] = {{.title = "n"}, {.title = "text"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 2};
	wm_listing_add(&listing, "1");
	wm_listing_add_wrapped(&listing, "one two three four five six seven", 40, 0);
	wm_listing_print(&listing, out, false);
	wm_arena_reset(&arena);
}

static void print_two_texts(FILE *out)
{
	static const struct wm_column columns[] = {{.title = "count", .right = true},
		{.title = "function"}, {.title = "source", .keep_end = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 3};
	wm_listing_add(&listing, "1,234,567,890");
	wm_listing_add(&listing, "a_function_of_thirty_character");
	wm_listing_add(&listing, "source.c:123");
	wm_listing_print(&listing, out, false);
	wm_arena_reset(&arena);
}

/* The line is 2 + 13 + 2 + 30 + 2 + 12 = 61 characters wide, and can be narrowed to 47. */
static void test_columns_of_text_give_room_to_the_last(void **state)
{
	static const struct {
		const char *columns, *expected;
	} cases[] = {{"61", "\n  1,234,567,890  a_function_of_thirty_character  source.c:123\n"},
		{"60", "\n  1,234,567,890  a_function_of_thirty_chara...  source.c:123\n"},
		{"47", "\n  1,234,567,890  a_function_of...  source.c:123\n"},
		{"40", "\n  1,234,567,890  a_function_of...  source.c:123\n"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setenv("COLUMNS", cases[i].columns, 1);
		char *text = printed(print_two_texts);
		assert_non_null(strstr(text, cases[i].expected));
		free(text);
	}
	unsetenv("COLUMNS");
}

static void test_wrapped_cells_take_their_share_of_the_terminal(void **state)
{
	static const struct {
		const char *columns, *expected;
	} cases[] = {{"80", "  n  text\n  1  one two three four\n     five six seven\n"},
		{"40", "  n  text\n  1  one two three\n     four five six\n     seven\n"},
		{"100", "  n  text\n  1  one two three four five six seven\n"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setenv("COLUMNS", cases[i].columns, 1);
		char *text = printed(print_wrapped_cell);
		assert_string_equal(text, cases[i].expected);
		free(text);
	}
	unsetenv("COLUMNS");
}

static void test_width_where_none_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *columns;
		size_t width;
	} cases[] = {{"72", 72}, {"9", 40}, {"", 100}, {"wide", 100}, {"-5", 100}, {"0", 100},
		{"80x", 100}, {"99999999999999999999", 1000}};
	FILE *no_terminal = tmpfile();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setenv("COLUMNS", cases[i].columns, 1);
		assert_int_equal(wm_terminal_width(no_terminal), cases[i].width);
	}
	unsetenv("COLUMNS");
	assert_int_equal(wm_terminal_width(no_terminal), 100);
	fclose(no_terminal);
}

static void print_json(FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_object(&json, NULL);
	wm_json_begin_array(&json, "a");
	wm_json_end_array(&json);
	wm_json_text(&json, "t", "q\"b\\n\n\x01\xc3\xa9\xff\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82");
	wm_json_number(&json, "n", UINT64_MAX);
	wm_json_signed(&json, "s", -1);
	wm_json_flag(&json, "f", true);
	wm_json_begin_array(&json, "o");
	wm_json_begin_object(&json, NULL);
	wm_json_number(&json, "x", 1);
	wm_json_number(&json, "y", 2);
	wm_json_end_object(&json);
	wm_json_number(&json, NULL, 3);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void test_json_is_valid_whatever_the_texts_hold(void **state)
{
	(void)state;
	const char replaced[] = "\xef\xbf\xbd";
	char expected[512];
	snprintf(expected, sizeof expected,
		"{\n\"a\":[],\n\"t\":\"q\\\"b\\\\n\\u000a\\u0001\xc3\xa9%s%s%s%s\xf0\x9f\x98\x80%s%"
		"s\",\n"
		"\"n\":18446744073709551615,\n\"s\":-1,\n\"f\":true,\n"
		"\"o\":[\n{\"x\":1,\"y\":2},\n3]}\n",
		replaced, replaced, replaced, replaced, replaced, replaced);
	char *text = printed(print_json);
	assert_string_equal(text, expected);
	free(text);
}

static const struct wm_line counts[] = {
	{.line = 2, .count = 1234}, {.line = 3}, {.line = 9, .count = 5}};
static const struct wm_line_file counted = {"x.c", 3, counts};

static void print_annotation(FILE *out)
{
	const char *lines[] = {"// one", "two();", "three();"};
	const struct wm_source_text source = {.path = "x.c", .line_count = 3, .lines = lines};
	wm_annotate_print(&counted, &source, false, out);
}

static void test_annotation_without_colour(void **state)
{
	(void)state;
	char *text = printed(print_annotation);
	assert_string_equal(text, "             -:    0:Source:x.c\n"
				  "             -:    1:// one\n"
				  "          1234:    2:two();\n"
				  "         #####:    3:three();\n");
	free(text);
}

static void print_annotation_json(FILE *out)
{
	const struct wm_line_file *files[] = {&counted};
	wm_annotate_json(files, 1, out);
}

static void test_annotation_as_json(void **state)
{
	(void)state;
	char *text = printed(print_annotation_json);
	assert_string_equal(text, "{\n\"schema\":\"annotate\",\n\"version\":1,\n\"files\":[\n{"
				  "\"file\":\"x.c\",\"lines\":[{\"line\":2,\"count\":1234},"
				  "{\"line\":3,\"count\":0},{\"line\":9,\"count\":5}]}]}\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_and_shares),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_clean_text_cannot_steer_a_terminal),
		cmocka_unit_test(test_listings_align_and_cut),
		cmocka_unit_test(test_lines_are_as_wide_as_the_terminal),
		cmocka_unit_test(test_columns_of_text_give_room_to_the_last),
		cmocka_unit_test(test_wrapped_cells_take_their_share_of_the_terminal),
		cmocka_unit_test(test_width_where_none_is_told),
		cmocka_unit_test(test_json_is_valid_whatever_the_texts_hold),
		cmocka_unit_test(test_annotation_without_colour),
		cmocka_unit_test(test_annotation_as_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
