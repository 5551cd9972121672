/* Stories of paths, and where others went, on walk of synthetic.h. Paths start 17 times at line 21:
 * path 1 ran 10 times, 3 five times, 4 and the partial 0 once each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/elsewhere.h"
#include "report/story_view.h"
#include "synthetic.h"

static struct wm_arena arena;
static const char ROOT[] = "own/";

/* leap is called in line 24 and calls deep in its line 8. */
static struct wm_scope scopes[] = {{"walk", "own/walk.c", 19, 0, 0},
	{"_ZN5space4leapEv", "own/leap.h", 3, 0, 24}, {"deep", "own/deep.h", 3, 1, 8}};
static struct wm_position positions[] = {
	{0, 20}, {0, 21}, {0, 22}, {2, 9}, {1, 5}, {0, 26}, {0, 28}};

static void write_source(const char *path)
{
	FILE *file = fopen(path, "we");
	for (int i = 1; i <= 60; i++)
		fprintf(file, "%sline(%d);\n", i % 2 ? "\t" : "\t\t", i);
	fclose(file);
}

static struct wm_profile_function make(struct wm_function *walk, const char *deep)
{
	mkdir("own", 0777);
	mkdir("lib", 0777);
	write_source("own/walk.c");
	write_source("own/leap.h");
	write_source(deep);
	*walk = synthetic_walk("walk");
	scopes[2].file = deep;
	walk->scopes = scopes;
	walk->scope_count = 3;
	walk->positions = positions;
	return synthetic_walk_profile(walk);
}

static char *print(const struct wm_profile_function *counted, uint32_t which, const char *root,
	struct wm_story_style style)
{
	char *text = NULL;
	size_t bytes = 0;
	struct wm_sources sources = wm_sources_of(NULL);
	const struct wm_profile_path *path = &counted->paths[which];
	struct wm_path_map map = wm_path_map_make(&arena, counted, &sources);
	struct wm_story story = wm_story_make(&arena, &map, root, &path, 1);
	FILE *out = open_memstream(&text, &bytes);
	wm_story_print(&story, &sources, &style, out);
	fclose(out);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return text;
}

static void assert_story(const struct wm_profile_function *counted, uint32_t which,
	const char *root, struct wm_story_style style, const char *expected)
{
	char *text = print(counted, which, root, style);
	assert_string_equal(text, expected);
	free(text);
}

/* Even lines are one step deeper in the text. Lines of calls come before what they call. */
static void test_inlined_calls_are_steps(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "own/deep.h");
	assert_story(&counted, 1, ROOT, (struct wm_story_style){.indent = 2},
		"    21  line(21);      → line 22  94%\n"
		"    22      line(22);  → line 24  69%\n"
		"    24      line(24);\n"
		"     5  │ line(5);  in space::leap\n"
		"     8  │     line(8);\n"
		"     9  │ │ line(9);  in deep\n"
		"    26      line(26);\n"
		"        next iteration at line 21\n");
}

static void test_libraries_are_folded(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "lib/deep.h");
	static const char folded[] = "    21  line(21);      → line 22  94%: 16 of 17\n"
				     "    22      line(22);  → line 24  69%: 11 of 16\n"
				     "    24      line(24);\n"
				     "     5  │ line(5);  in space::leap\n"
				     "     8  │     line(8);\n"
				     "    26      line(26);\n"
				     "        next iteration at line 21\n";
	struct wm_story_style style = {.indent = 2, .counts = true};
	assert_story(&counted, 1, ROOT, style, folded);
	char *text = print(&counted, 1, "", style);
	assert_non_null(strstr(text, "     9  │ │ line(9);  in deep\n"));
	free(text);
	/* A branch of the library: block 2 is its line 9, called in line 8 of leap. */
	positions[2] = (struct wm_position){2, 9};
	text = print(&counted, 1, ROOT, style);
	positions[2] = (struct wm_position){0, 22};
	assert_non_null(
		strstr(text, "     8  │     line(8);  in space::leap [1 library branch]\n"));
	free(text);
}

static void test_straight_pieces_are_shortened(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "own/deep.h");
	positions[3] = (struct wm_position){0, 24};
	positions[4] = (struct wm_position){0, 25};
	static struct wm_position more[] = {
		{0, 20}, {0, 21}, {0, 22}, {0, 24}, {0, 25}, {0, 26}, {0, 28}, {0, 23}};
	struct wm_block blocks[6];
	memcpy(blocks, walk.blocks, sizeof blocks);
	blocks[4] = (struct wm_block){5, 5, 1};
	blocks[3] = (struct wm_block){4, 3, 2};
	walk.blocks = blocks;
	walk.positions = more;
	assert_story(&counted, 1, ROOT, (struct wm_story_style){.brief = true},
		"  21  line(21);      → line 22  94%\n"
		"  22      line(22);  → line 24  69%\n"
		"  24      line(24);\n"
		"  25  line(25);\n"
		"  26      line(26);\n"
		"      next iteration at line 21\n");
	blocks[3] = (struct wm_block){4, 3, 2};
	blocks[4] = (struct wm_block){5, 5, 3};
	assert_story(&counted, 1, ROOT, (struct wm_story_style){.brief = true},
		"  21  line(21);      → line 22  94%\n"
		"  22      line(22);  → line 24  69%\n"
		"  23  line(23);\n"
		"      ...\n"
		"  28      line(28);\n"
		"      next iteration at line 21\n");
	assert_story(&counted, 1, ROOT, (struct wm_story_style){.max_rows = 4},
		"  21  line(21);      → line 22  94%\n"
		"  22      line(22);  → line 24  69%\n"
		"      ... 5 more lines\n"
		"      next iteration at line 21\n");
	positions[3] = (struct wm_position){2, 9};
	positions[4] = (struct wm_position){1, 5};
}

/* 16 and 1, not 17 and 0, of which most tools would say 100% and 0%. */
static void test_shares_are_never_all_or_nothing_by_rounding(void **state)
{
	(void)state;
	static const struct {
		uint64_t part, whole;
		const char *text;
	} cases[] = {{0, 5, "0%"}, {1, 1000, "<1%"}, {1, 200, "1%"}, {999, 1000, ">99%"},
		{1000, 1000, "100%"}, {2, 3, "67%"}, {994, 1000, "99%"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
			wm_story_share(&arena, cases[i].part, cases[i].whole), cases[i].text);
	wm_arena_reset(&arena);
}

/* Decision 0 is stated by three places: the edges to 2 (16 times, no) and to 5 (once, yes) of the
 * text, and the edge back from 4 (15 times, no). */
static void test_decisions_are_counted_in_the_whole_function(void **state)
{
	(void)state;
	static struct wm_source_arm arms[] = {{2, WM_SOURCE_NO, {0}}, {3, WM_SOURCE_YES, {0}}};
	static struct wm_source_branch branch = {0, {0, 21, 2}, 2, arms};
	static const char *files[] = {"own/walk.c"};
	static struct wm_source_block text_blocks[5];
	const struct wm_source text = {.name = "walk",
		.text = "walk",
		.file_count = 1,
		.files = files,
		.block_count = 5,
		.blocks = text_blocks,
		.branch_count = 1,
		.branches = &branch};
	const struct wm_source *texts[] = {&text};
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "own/deep.h");
	uint32_t back = counted.paths[1].end_edge, forth = 0, out = 0;
	for (uint32_t e = 0; e < walk.edge_count; e++) {
		forth = walk.edge_source[e] == 1 && walk.edge_target[e] == 2 ? e : forth;
		out = walk.edge_source[e] == 1 && walk.edge_target[e] == 5 ? e : out;
	}
	struct wm_stated_decision stated[] = {
		{6 + forth, 0, 0, 2}, {6 + out, 0, 0, 3}, {6 + back, 0, 0, 2}};
	struct wm_source_section section = {.key_count = 1, .outcome_count = 3, .outcomes = stated};
	for (size_t i = 0; i < 3; i++)
		for (size_t k = i + 1; k < 3; k++)
			if (stated[k].place < stated[i].place) {
				struct wm_stated_decision other = stated[i];
				stated[i] = stated[k];
				stated[k] = other;
			}
	walk.source = &section;
	counted.sources = texts;
	/* The edge to 5 says nothing: it went another way than that to 2 all the same. */
	section.outcome_count = 0;
	struct wm_stated_decision fewer[3];
	for (size_t i = 0; i < 3; i++)
		if (stated[i].place != 6 + out)
			fewer[section.outcome_count++] = stated[i];
	section.outcomes = fewer;
	char *silent = print(&counted, 1, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(strstr(silent, "97%: 31 of 32"));
	free(silent);
	section.outcome_count = 3;
	section.outcomes = stated;
	/* Another file than the function's, which no code of the block is of. */
	files[0] = "own/leap.h";
	char *story = print(&counted, 1, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(
		strstr(story, "  21  │ line(21);    no         97%: 31 of 32  in space::leap\n"));
	free(story);
	files[0] = "own/.././/own/leap.h";
	story = print(&counted, 1, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(strstr(story, "  in space::leap\n"));
	free(story);
	files[0] = "own/stranger.h";
	story = print(&counted, 1, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(
		strstr(story, "  21                 no         97%: 31 of 32  in stranger.h\n"));
	free(story);
	files[0] = "own/walk.c";
	story = print(&counted, 1, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(strstr(story, "  21  line(21);      no         97%: 31 of 32\n"));
	free(story);
	story = print(&counted, 3, ROOT, (struct wm_story_style){.counts = true});
	assert_non_null(strstr(story, "yes  3%: 1 of 32\n"));
	free(story);
}

/* On 60 columns. The share's numbers are short, the note is cut, and no line is longer. */
static void test_narrow_terminals(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "own/deep.h");
	positions[2] = (struct wm_position){2, 9};
	setenv("COLUMNS", "60", 1);
	char *text =
		print(&counted, 1, ROOT, (struct wm_story_style){.counts = true, .indent = 10});
	unsetenv("COLUMNS");
	positions[2] = (struct wm_position){0, 22};
	assert_non_null(strstr(text, "94% of 17\n"));
	assert_non_null(strstr(text, "69% of 16"));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		size_t wide = 0;
		for (const char *c = line; *c != '\n'; c++)
			wide += ((unsigned char)*c & 0xc0) != 0x80;
		assert_true(wide <= 60);
	}
	free(text);
}

static char *elsewhere(const struct wm_profile_function *counted, uint32_t which)
{
	char *text = NULL;
	size_t bytes = 0;
	struct wm_profile profile = {
		.function_count = 1, .functions = (struct wm_profile_function *)counted};
	struct wm_path_map map = wm_path_map_make(&arena, counted, NULL);
	FILE *out = open_memstream(&text, &bytes);
	wm_elsewhere_print(&map, wm_short_names_make(&arena, &profile, false),
		&counted->paths[which], false, out);
	fclose(out);
	wm_arena_reset(&arena);
	return text;
}

/* 10 + 1 + 5 + 1 are the 17 that start there. */
static void test_where_others_went(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk, "own/deep.h");
	char *text = elsewhere(&counted, 1);
	assert_string_equal(text, "\nInstead, from the same start\n"
				  "  times  path  went\n"
				  "      1  #4    21 → line 28\n"
				  "      5  #3    22 → line 26\n"
				  "      1  #0    left early\n");
	free(text);
	/* For path 4 all others are one row, by the hottest. */
	text = elsewhere(&counted, 3);
	assert_string_equal(text, "\nInstead, from the same start\n"
				  "  times  path           went\n"
				  "     16  #1 and 2 more  21 → line 22\n");
	free(text);
	/* Nothing else starts where path 5 does. */
	text = elsewhere(&counted, 4);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inlined_calls_are_steps),
		cmocka_unit_test(test_libraries_are_folded),
		cmocka_unit_test(test_straight_pieces_are_shortened),
		cmocka_unit_test(test_shares_are_never_all_or_nothing_by_rounding),
		cmocka_unit_test(test_decisions_are_counted_in_the_whole_function),
		cmocka_unit_test(test_narrow_terminals),
		cmocka_unit_test(test_where_others_went),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
