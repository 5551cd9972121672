/* What paths decide in their source, on walk of synthetic.h: the outcomes that its description has,
 * the text of its conditions and labels, and what remains unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/path_form.h"
#include "report/path_json.h"
#include "synthetic.h"

/* The edges of walk behind its blocks 1 and 2, that of block 3, and that back to block 1. */
enum { TO_2 = 1, TO_5 = 2, TO_3 = 3, TO_4 = 4, ON_TO_4 = 5, BACK = 6, BLOCKS = 6 };
enum { MAX_OUTCOMES = 4 };

static struct wm_arena arena;
static struct wm_scope scope = {"walk", "walk.c", 19, 0, 0};
static const char *files[] = {"walk.c", "leap.h"};

/* Lines of the text: block b stands on line 101 + b. Block 0 decides by condition, 1 by switch. */
static struct wm_source_block text_blocks[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
static struct wm_source_line text_lines[] = {
	{0, 101, 0}, {0, 102, 0}, {0, 103, 0}, {0, 104, 0}, {0, 105, 0}};
static struct wm_source_arm ways[] = {{3, WM_SOURCE_NO, {0}}, {2, WM_SOURCE_YES, {0}}};
static struct wm_source_arm labels[] = {{2, WM_SOURCE_CASE, {0, 4, 2}},
	{3, WM_SOURCE_DEFAULT, {0, 5, 2}}, {4, WM_SOURCE_CASE, {0, 6, 2}},
	{4, WM_SOURCE_CASE, {0, 7, 2}}};
static struct wm_source_branch branches[] = {{0, {0, 1, 6}, 2, ways}, {1, {0, 3, 2}, 4, labels}};

struct fixture {
	struct wm_function walk;
	struct wm_profile_function counted;
	struct wm_source text;
	const struct wm_source *texts[1];
	struct wm_source_section section;
	struct wm_stated_decision outcomes[MAX_OUTCOMES];
	struct wm_sources sources;
};

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(name, "we");
	fputs(text, file);
	fclose(file);
}

static struct fixture *make(const char *text)
{
	struct fixture *fixture = wm_arena_alloc(&arena, 1, sizeof *fixture);
	fixture->walk = synthetic_walk("walk");
	fixture->walk.scopes = &scope;
	fixture->counted = synthetic_walk_profile(&fixture->walk);
	fixture->text = (struct wm_source){.name = "walk",
		.file_count = 2,
		.files = files,
		.block_count = 5,
		.blocks = text_blocks,
		.line_count = 5,
		.lines = text_lines,
		.branch_count = 2,
		.branches = branches};
	fixture->texts[0] = &fixture->text;
	fixture->section.key_count = 1;
	fixture->section.outcomes = fixture->outcomes;
	fixture->walk.source = &fixture->section;
	fixture->counted.sources = fixture->texts;
	fixture->sources = wm_sources_of(NULL);
	write_text("walk.c", text);
	return fixture;
}

static void state(struct fixture *fixture, uint32_t place, uint32_t block, uint32_t target)
{
	fixture->outcomes[fixture->section.outcome_count++] =
		(struct wm_stated_decision){place, 0, block, target};
}

/* The form of path 1 of walk, through blocks 1 to 4 and back, without the lines between. */
static const char *form(struct fixture *fixture)
{
	const struct wm_profile_path *path = &fixture->counted.paths[1];
	struct wm_path_map map = wm_path_map_make(&arena, &fixture->counted, &fixture->sources);
	return wm_path_form(&arena, &map, &path, 1, ", ");
}

static const char *json(struct fixture *fixture)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	wm_path_json_members(&(struct wm_json){.out = out, .depth = 9}, &fixture->counted, 0);
	fclose(out);
	const char *copy = wm_arena_copy_text(&arena, text);
	free(text);
	return copy;
}

static void finish(struct fixture *fixture)
{
	wm_sources_free(&fixture->sources);
	wm_arena_reset(&arena);
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("no '%s' in:\n%s", expected, text);
}

/* The compiler has turned the condition around: its first edge is that of no. */
static void test_the_text_says_what_yes_is(void **test)
{
	(void)test;
	struct fixture *fixture = make("\tif (size > 3)\n");
	state(fixture, BLOCKS + TO_2, 0, 3);
	state(fixture, BLOCKS + TO_5, 0, 2);
	assert_says(form(fixture), "walk.c:21, 1 if (size > 3) → no, 22 → line 24, ");
	assert_says(json(fixture),
		"{\"file\":\"walk.c\",\"line\":1,\"column\":6,\"outcome\":\"no\",\"to_line\":104}");
	assert_says(json(fixture), "{\"file\":\"walk.c\",\"line\":1,\"column\":6,\"outcome\":"
				   "\"yes\",\"to_line\":103}");
	finish(fixture);
}

/* A jump was threaded: one edge stands for two decisions. */
static void test_decisions_of_one_edge_are_in_order(void **test)
{
	(void)test;
	struct fixture *fixture = make("\tif (a && b)\n");
	struct wm_source_branch both[] = {{0, {0, 1, 6}, 2, ways}, {1, {0, 1, 11}, 2, ways}};
	fixture->text.branches = both;
	state(fixture, BLOCKS + TO_2, 0, 2);
	state(fixture, BLOCKS + TO_2, 1, 3);
	assert_says(form(fixture), "walk.c:21, 1 a → yes, 1 b → no, 22 → line 24");
	finish(fixture);
}

/* Fixed by what is known where it stands, it was decided without a jump. */
static void test_decisions_in_blocks_come_first(void **test)
{
	(void)test;
	struct fixture *fixture = make("\tx = a ? 1 : 2;\n");
	state(fixture, 1, 0, 3);
	state(fixture, BLOCKS + TO_2, 0, 2);
	assert_says(form(fixture), "walk.c:21, 1 a → no, 1 a → yes, 22 → line 24");
	finish(fixture);
}

static void test_labels_of_a_switch(void **test)
{
	(void)test;
	const char *text = "\n\n\tswitch (kind(x)) {\n\tcase ':': /* : */\n\tdefault:\n";
	struct fixture *fixture = make(text);
	state(fixture, BLOCKS + TO_2, 1, 2);
	state(fixture, BLOCKS + TO_3, 1, 3);
	assert_says(form(fixture), "walk.c:21, 3 switch (kind(x)) → case ':', 22, "
				   "3 switch (kind(x)) → default, ");
	assert_says(json(fixture), "\"outcome\":\"case\",\"to_line\":4,\"to_column\":2}");
	finish(fixture);
	/* Its text has changed: nothing is quoted from it. */
	fixture = make("");
	state(fixture, BLOCKS + TO_2, 1, 2);
	assert_says(form(fixture), "walk.c:21, 3:2 → case at line 4, ");
	finish(fixture);
}

static void test_no_label_fits(void **test)
{
	(void)test;
	struct wm_source_arm behind[] = {
		{2, WM_SOURCE_CASE, {0, 4, 2}}, {3, WM_SOURCE_DEFAULT, {0}}};
	struct wm_source_branch only[] = {{1, {0, 3, 2}, 2, behind}};
	struct fixture *fixture = make("\n\n\tswitch (x) {\n");
	fixture->text.branches = only;
	fixture->text.branch_count = 1;
	state(fixture, BLOCKS + TO_2, 1, 3);
	assert_says(form(fixture), "3 switch (x) → no case, ");
	assert_says(json(fixture), "\"outcome\":\"case\",\"to_line\":104}");
	finish(fixture);
}

/* Both labels are of one statement. */
static void test_one_of_two_labels(void **test)
{
	(void)test;
	struct fixture *fixture = make("\n\n\tswitch (x) {\n");
	state(fixture, BLOCKS + TO_2, 1, 4);
	assert_says(form(fixture), "walk.c:21, 3 switch (x) → line 105, ");
	assert_says(json(fixture), "\"outcome\":null,\"to_line\":105}");
	finish(fixture);
}

/* A rotated loop: its condition stands on the edge that goes back. */
static void test_the_condition_of_a_loop(void **test)
{
	(void)test;
	struct fixture *fixture = make("\tfor (i = 0; i < 9; i++)\n");
	struct wm_source_branch condition[] = {{0, {0, 1, 14}, 2, ways}};
	fixture->text.branches = condition;
	fixture->text.branch_count = 1;
	state(fixture, BLOCKS + BACK, 0, 2);
	assert_says(form(fixture), ", 1 i < 9 → yes, next iteration at line 21");
	finish(fixture);
}

static void test_conditions_of_inlined_code(void **test)
{
	(void)test;
	struct fixture *fixture = make("");
	struct wm_source_branch inlined[] = {{0, {1, 2, 9}, 2, ways}};
	fixture->text.branches = inlined;
	fixture->text.branch_count = 1;
	write_text("leap.h", "\n\twhile (f(\")\", b[(1)]) || c) // on and on\n");
	state(fixture, BLOCKS + TO_2, 0, 2);
	assert_says(
		form(fixture), "walk.c:21, leap.h:2 f(\")\", b[(1)]) → yes, walk.c:22 → line 24");
	finish(fixture);
}

/* Nobody can trust a file. */
static void test_decisions_that_the_text_does_not_have(void **test)
{
	(void)test;
	struct fixture *fixture = make("\tif (size > 3)\n");
	state(fixture, BLOCKS + TO_2, 0, 77);
	state(fixture, BLOCKS + TO_3, 3, 1);
	assert_says(form(fixture), "1 if (size > 3) → an unknown line");
	fixture->texts[0] = NULL;
	assert_says(form(fixture), "an unknown line");
	finish(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_text_says_what_yes_is),
		cmocka_unit_test(test_decisions_of_one_edge_are_in_order),
		cmocka_unit_test(test_decisions_in_blocks_come_first),
		cmocka_unit_test(test_labels_of_a_switch),
		cmocka_unit_test(test_no_label_fits),
		cmocka_unit_test(test_one_of_two_labels),
		cmocka_unit_test(test_the_condition_of_a_loop),
		cmocka_unit_test(test_conditions_of_inlined_code),
		cmocka_unit_test(test_decisions_that_the_text_does_not_have),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
