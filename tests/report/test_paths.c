/* Paths as people see them, on the two functions with paths of synthetic.h. Together they execute
 * 230 instructions: walk's path 1 has 10 x 14 of them (60.9 %), path 3 has 5 x 10, path 0 has 14,
 * path 4 has 3 and path 5 has 2; chain's three have 21 together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/paths/paths.h"
#include "names/path_name.h"
#include "report/path_form.h"
#include "report/path_groups.h"
#include "report/path_json.h"
#include "report/path_view.h"
#include "report/profile_json.h"
#include "report/listing.h"
#include "report/views.h"
#include "synthetic.h"

static struct wm_arena arena;

struct fixture {
	struct wm_function walk, chain;
	struct wm_profile_function functions[2];
	struct wm_profile profile;
};

static struct fixture *make(void)
{
	struct fixture *fixture = wm_arena_alloc(&arena, 1, sizeof *fixture);
	fixture->walk = synthetic_walk("walk");
	fixture->chain = synthetic_chain("_ZN5space5chainEv");
	fixture->functions[0] = synthetic_walk_profile(&fixture->walk);
	fixture->functions[1] = synthetic_chain_profile(&fixture->chain);
	fixture->profile = (struct wm_profile){.object = {.path = "/bin/sample"},
		.file = {.path = "sample.wmk", .runs = 1},
		.function_count = 2,
		.functions = fixture->functions,
		.executed_functions = 2,
		.instructions = 230,
		.blocks = 9};
	return fixture;
}

static int reset(void **state)
{
	(void)state;
	wm_arena_reset(&arena);
	return 0;
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("no '%s' in:\n%s", expected, text);
}

static void assert_narrow(const char *text)
{
	for (; *text; text += strcspn(text, "\n") + 1)
		if (strcspn(text, "\n") > 100)
			fail_msg("a line is too long:\n%s", text);
}

static const char *name(const struct wm_function *function, const char *ids)
{
	char *text = wm_arena_alloc(&arena, 100, 1);
	snprintf(text, 100, "%s:%08" PRIx32 ":%s", function->name, wm_path_cfg_hash(function), ids);
	return text;
}

static char *view(const struct wm_profile *profile, enum wm_view which, size_t top)
{
	char *text = NULL, *copy;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	wm_view_print(profile,
		&(struct wm_view_request){.view = which,
			.top = top,
			.path_top = top,
			.names = wm_short_names_make(&arena, profile, true)},
		out);
	fclose(out);
	copy = wm_arena_copy_text(&arena, text);
	free(text);
	assert_narrow(copy);
	return copy;
}

static char *view_function(const struct wm_profile_function *function, size_t top)
{
	char *text = NULL, *copy;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct wm_profile *alone = wm_arena_alloc(&arena, 1, sizeof *alone);
	alone->function_count = 1;
	alone->functions = (struct wm_profile_function *)function;
	wm_path_view_print_function(function,
		&(struct wm_view_request){
			.top = top, .names = wm_short_names_make(&arena, alone, true)},
		out);
	fclose(out);
	copy = wm_arena_copy_text(&arena, text);
	free(text);
	assert_narrow(copy);
	return copy;
}

static const char *form(const struct wm_function *function, const struct wm_profile_path *path)
{
	const struct wm_profile_function source = {.function = function};
	struct wm_path_map map = wm_path_map_make(&arena, &source, NULL);
	return wm_path_form(&arena, &map, &path, 1, ", ");
}

/* The numbers given in synthetic.h are those of core/paths/paths.h. */
static void test_synthetic_ids_are_path_numbers(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	for (size_t f = 0; f < 2; f++) {
		const struct wm_profile_function *source = &fixture->functions[f];
		const struct wm_function *function = source->function;
		struct wm_paths paths;
		struct wm_error error;
		bool cut[9];
		for (uint32_t e = 0; e < function->edge_count; e++)
			cut[e] = function->edge_flags[e] & WM_EDGE_CUT;
		const struct wm_cfg *cfg = wm_cfg_build(&arena, function->block_count + 1,
			function->edge_count, function->edge_source, function->edge_target, 0,
			function->block_count);
		assert_int_equal(wm_paths_number_regions(&arena, cfg, cut, &paths, &error), 0);
		assert_int_equal(paths.count, source->possible_paths);
		for (uint32_t i = 0; i < source->path_count; i++) {
			uint32_t edges[9];
			uint32_t count = wm_paths_decode(&paths, source->paths[i].id, edges);
			assert_int_equal(paths.origin[edges[count - 1]], source->paths[i].end_edge);
			uint32_t starts = paths.kind[edges[0]] == WM_PATH_EDGE_START;
			assert_int_equal(source->paths[i].block_count, count - starts);
		}
	}
}

static void test_forms(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const struct wm_profile_path *paths = fixture->functions[0].paths;
	assert_string_equal(form(&fixture->walk, &paths[0]),
		"walk.c:21 → line 22, 22 → line 24, 23-26, left early");
	assert_string_equal(form(&fixture->walk, &paths[1]),
		"walk.c:21 → line 22, 22 → line 24, 23-26, next iteration at line 21");
	assert_string_equal(form(&fixture->walk, &paths[2]),
		"walk.c:21 → line 22, 22 → line 26, 26, next iteration at line 21");
	assert_string_equal(form(&fixture->walk, &paths[3]), "walk.c:21 → line 28, 28");
	assert_string_equal(
		form(&fixture->walk, &paths[4]), "walk.c:20, enters the loop at line 21");
}

/* How a path ends is no part of the function's shape, and so of no name. */
static void test_a_call_that_never_returns(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const struct wm_profile_path *path = &fixture->functions[0].paths[3];
	uint32_t hash = wm_path_cfg_hash(&fixture->walk);
	uint8_t flags[9];
	memcpy(flags, fixture->walk.edge_flags, sizeof flags);
	flags[path->end_edge] |= WM_EDGE_NO_RETURN;
	fixture->walk.edge_flags = flags;
	assert_string_equal(form(&fixture->walk, path), "walk.c:21 → line 28, 28, no return");
	assert_int_equal(wm_path_cfg_hash(&fixture->walk), hash);
}

/* A range must not hold a line that the path leaves out. */
static void test_ranges_leave_no_line_out(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_position positions[] = {
		{0, 20}, {0, 21}, {0, 22}, {0, 24}, {0, 23}, {0, 26}, {0, 25}};
	fixture->walk.positions = positions;
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"walk.c:21 → line 22, 22 → line 24, 23-24,26, next iteration at line 21");
}

static void test_form_of_inlined_code(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_scope scopes[] = {{"walk", "/src/walk.c", 19, 0, 0},
		{"leap", "/include/leap.h", 3, 0, 24}, {"deep", "/include/deep.h", 3, 1, 8}};
	struct wm_position positions[] = {
		{0, 20}, {0, 21}, {0, 22}, {2, 9}, {1, 5}, {0, 26}, {0, 28}};
	fixture->walk.positions = positions;
	fixture->walk.scopes = scopes;
	fixture->walk.scope_count = 3;
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"walk.c:21 → line 22, 22 → line 24, 24-26, next iteration at line 21");
	/* Where the code itself is in the file its call is not shown. */
	scopes[1].file = "/src/walk.c";
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"walk.c:21 → line 22, 22 → line 8, 5-8,26, next iteration at line 21");
	scopes[1].file = "/include/leap.h";
	/* Without the line of the call there is nothing else to show. */
	scopes[1].call_line = 0;
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"walk.c:21 → line 22, 22 → deep.h:9, deep.h:9, leap.h:5, walk.c:26, next iteration "
		"at line 21");
}

/* leap starts on line 24 of the same file: what stands before is another function's. */
static void test_ranges_end_where_functions_start(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_scope scopes[] = {
		{"walk", "/src/walk.c", 19, 0, 0}, {"leap", "/src/walk.c", 24, 0, 21}};
	fixture->walk.scopes = scopes;
	fixture->walk.scope_count = 2;
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"walk.c:21 → line 22, 22 → line 24, 23,24-26, next iteration at line 21");
}

static void test_form_without_lines(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	static struct wm_scope scope = {"walk", "", 0, 0, 0};
	assert_null(strstr(view(&fixture->profile, WM_VIEW_PATHS, 1), "without -g"));
	fixture->walk.scopes = fixture->chain.scopes = &scope;
	assert_says(view(&fixture->profile, WM_VIEW_PATHS, 1),
		"\ncompiled without -g: there are no source lines to show\n");
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[1]),
		"block 1 → block 2, 2 → block 3, 3-4, next iteration at block 1");
	assert_string_equal(form(&fixture->walk, &fixture->functions[0].paths[2]),
		"block 1 → block 2, 2 → block 4, 4, next iteration at block 1");
}

/* Block 0 leads to 1, 2 or 3. */
static void test_form_of_a_switch(void **state)
{
	(void)state;
	uint32_t source[] = {0, 0, 0, 1, 2, 3}, target[] = {1, 2, 3, 4, 4, 4};
	uint8_t flags[] = {0, 0, 0, WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT};
	struct wm_position positions[] = {{0, 50}, {0, 51}, {0, 52}, {0, 0}};
	struct wm_block blocks[] = {{1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {1, 3, 1}};
	static const uint32_t second[] = {0, 2}, third[] = {0, 3};
	struct wm_function function = synthetic_walk("choose");
	function.block_count = 4;
	function.blocks = blocks;
	function.positions = positions;
	function.position_count = 4;
	function.edge_count = 6;
	function.edge_source = source;
	function.edge_target = target;
	function.edge_flags = flags;
	const struct wm_profile_path to_second = {1, 1, false, 2, second, 4, NULL, 0},
				     to_third = {2, 1, false, 2, third, 5, NULL, 0};
	assert_string_equal(form(&function, &to_second), "walk.c:50 → line 52, 52");
	assert_string_equal(form(&function, &to_third), "walk.c:50 → block 3");
}

/* Block 0 leads to 1, 2 or 3, which have no lines; 1 goes on to 4, line 60, and 2 and 3 to 0. */
static void test_blocks_without_lines_go_by_the_next(void **state)
{
	(void)state;
	uint32_t source[] = {0, 0, 0, 1, 2, 3, 4}, target[] = {1, 2, 3, 4, 0, 0, 3};
	uint8_t flags[] = {0, WM_EDGE_CUT, 0, 0, WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT};
	struct wm_position positions[] = {{0, 50}, {0, 0}, {0, 60}};
	struct wm_block blocks[] = {{1, 0, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 2, 1}};
	static const uint32_t first[] = {0, 1, 4}, second[] = {0}, third[] = {0, 3};
	struct wm_function function = synthetic_walk("choose");
	function.block_count = 5;
	function.blocks = blocks;
	function.positions = positions;
	function.position_count = 3;
	function.edge_count = 7;
	function.edge_source = source;
	function.edge_target = target;
	function.edge_flags = flags;
	assert_string_equal(
		form(&function, &(struct wm_profile_path){0, 1, false, 3, first, 6, NULL, 0}),
		"walk.c:50 → line 60, 60, goes on at line 50");
	assert_string_equal(
		form(&function, &(struct wm_profile_path){0, 1, false, 1, second, 1, NULL, 0}),
		"walk.c:50 → line 50, goes on at line 50");
	/* No line on this path: the number of the block must do. */
	assert_string_equal(
		form(&function, &(struct wm_profile_path){0, 1, false, 2, third, 5, NULL, 0}),
		"walk.c:50 → block 3, next iteration at line 50");
}

/* A name that several functions share in short needs their hashes. */
static void test_short_names(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const uint64_t ids[] = {2, 0};
	const struct wm_profile_function *functions = fixture->functions;
	fixture->walk.name = "_ZN5space4walkEi";
	fixture->chain.name = "_ZNK5space5chainIiEEvv";
	const struct wm_short_names *names = wm_short_names_make(&arena, &fixture->profile, false);
	assert_string_equal(
		wm_short_names_path(&arena, names, &functions[0], ids, 1), "space::walk#2");
	assert_string_equal(
		wm_short_names_path(&arena, names, &functions[1], ids, 2), "space::chain#2+0");
	assert_string_equal(wm_short_names_stem(&arena, names, &functions[1]), "space::chain#");
	fixture->chain.name = "_ZN5space4walkEd";
	names = wm_short_names_make(&arena, &fixture->profile, false);
	char expected[40];
	snprintf(expected, sizeof expected, "space::walk:%08" PRIx32 ":",
		wm_path_cfg_hash(&fixture->chain));
	assert_string_equal(wm_short_names_stem(&arena, names, &functions[1]), expected);
	assert_string_equal(
		wm_short_names_path(&arena, names, &functions[1], ids, 1), strcat(expected, "2"));
}

static void assert_named(struct fixture *fixture, const char *walk, const char *chain,
	const char *expected_walk, const char *expected_chain)
{
	const uint64_t id = 2;
	const char *expected[] = {expected_walk, expected_chain};
	fixture->walk.name = walk;
	fixture->chain.name = chain;
	const struct wm_short_names *names = wm_short_names_make(&arena, &fixture->profile, false);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(
			wm_short_names_path(&arena, names, &fixture->functions[i], &id, 1),
			expected[i]);
}

/* Also where functions have the same shape, no two have one name. */
static void test_names_that_are_shared_say_more(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	assert_named(
		fixture, "_Z5twiceIiET_S0_", "_Z5twiceIdET_S0_", "twice<int>#2", "twice<double>#2");
	fixture->chain = fixture->walk;
	assert_named(
		fixture, "_Z5twiceIiET_S0_", "_Z5twiceIdET_S0_", "twice<int>#2", "twice<double>#2");
	assert_named(fixture, "_Z4walki", "_Z4walkd", "walk(int)#2", "walk(double)#2");
	assert_named(fixture, "_Z3twoIiiET_S0_T0_", "_Z3twoIdET_S0_", "two<int, int>#2",
		"two<double>#2");
	/* No form tells the two constructors apart. */
	char first[60];
	uint32_t hash = wm_path_cfg_hash(&fixture->walk);
	snprintf(first, sizeof first, "A::A:%08" PRIx32 ":2", hash);
	assert_named(fixture, "_ZN1AC1Ev", "_ZN1AC2Ev", first, first);
	/* Static functions of two files. */
	snprintf(first, sizeof first, "walk:%08" PRIx32 ":2", hash);
	assert_named(fixture, "walk", "walk", first, first);
}

static void test_only_certain_pieces_are_joined(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_path_groups groups;
	wm_path_groups_make(&arena, &fixture->profile, &groups);
	assert_int_equal(groups.count, 6);
	assert_int_equal(groups.path_count, 8);
	assert_int_equal(groups.instructions, 230);
	assert_int_equal(groups.partial, 1);
	assert_int_equal(groups.partial_count, 1);
	const struct wm_path_group *chain = &groups.groups[2];
	assert_ptr_equal(chain->function, &fixture->functions[1]);
	assert_int_equal(chain->piece_count, 3);
	assert_int_equal(chain->instructions, 21);
	const struct wm_short_names *full = wm_short_names_make(&arena, &fixture->profile, true);
	assert_string_equal(
		wm_path_group_name(&arena, full, chain, 58), name(&fixture->chain, "2+0+1"));
	assert_string_equal(wm_path_group_name(&arena, full, chain, 20) + 3,
		strstr(name(&fixture->chain, "2+0+1"), "Ev:"));
	/* The first of its pieces is all that there is room for. */
	struct wm_path_group many = *chain;
	many.pieces = wm_arena_alloc(&arena, 40, sizeof *many.pieces);
	for (many.piece_count = 0; many.piece_count < 40; many.piece_count++)
		many.pieces[many.piece_count] = chain->pieces[0];
	char expected[100];
	snprintf(expected, sizeof expected, "%s and 39 more", name(&fixture->chain, "2"));
	assert_string_equal(wm_path_group_name(&arena, full, &many, 58), expected);
	/* Two of ten came from elsewhere (a second return): nothing is certain there. */
	struct wm_profile_path paths[3];
	memcpy(paths, fixture->functions[1].paths, sizeof paths);
	paths[0].count = paths[1].count = 10;
	fixture->functions[1].paths = paths;
	wm_path_groups_make(&arena, &fixture->profile, &groups);
	assert_int_equal(groups.count, 7);
	assert_int_equal(groups.path_count, 8);
}

/* Equal counts prove nothing where another path ends, too, or where calls enter. */
static void test_counts_may_be_equal_by_chance(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	static const uint32_t number[] = {0, 1, 2};
	uint32_t target[] = {1, 0, 1};
	/* 0 -> 1 -> 0, and 2 -> 1 to take back what came back from a fork. */
	struct wm_profile_path paths[] = {{0, 7, false, 1, &number[1], 1, NULL, 0},
		{1, (uint64_t)-2, false, 1, &number[2], 2, NULL, 0},
		{2, 7, false, 1, &number[0], 0, NULL, 0}};
	struct wm_path_groups groups;
	fixture->chain.edge_target = target;
	fixture->functions[1].paths = paths;
	wm_path_groups_make(&arena, &fixture->profile, &groups);
	assert_int_equal(groups.count, 7);
	for (size_t i = 0; i < groups.count; i++)
		assert_int_equal(groups.groups[i].piece_count, 1);
}

/* No program makes such a profile, but a file may hold anything. */
static void test_circles_are_cut(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	uint32_t target[] = {1, 2, 1};
	struct wm_profile_path paths[3];
	struct wm_path_groups groups;
	memcpy(paths, fixture->functions[1].paths, sizeof paths);
	fixture->chain.edge_target = target;
	fixture->functions[1].paths = paths;
	fixture->functions[1].path_count = 2;
	wm_path_groups_make(&arena, &fixture->profile, &groups);
	assert_int_equal(groups.path_count, 7);
	assert_int_equal(groups.count, 6);
}

/* Of the 17 that came to line 21, 16 went on to 22, and 11 of these to 24. */
static void test_report_shows_functions_and_paths(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const char *text = view(&fixture->profile, WM_VIEW_OVERVIEW, 10);
	char expected[512];
	snprintf(expected, sizeof expected,
		"\n  1  60.9%%  %s  walk.c  10 times\n"
		"          21    → line 22  94%%\n"
		"          22    → line 24  69%%\n"
		"          23\n"
		"          24\n"
		"          26\n"
		"              next iteration at line 21\n",
		name(&fixture->walk, "1"));
	assert_says(text, expected);
	snprintf(expected, sizeof expected,
		"\n  3   9.1%%  %s  space::chain  walk.c  7 times\n          40\n          41\n",
		name(&fixture->chain, "2+0+1"));
	assert_says(text, expected);
	/* 140 of 230 are less than 184, 190 are more. */
	assert_says(text, "\n  2 paths are 80% of the run; 8 ran in all\n");
	assert_says(text, "\n  1 path was left early, inside a call that did not come back, 1 time "
			  "in all\n");
	assert_null(strstr(text, "[T]"));
	assert_says(text, "2 of 2 functions ran, along 8 paths\n");
	snprintf(expected, sizeof expected,
		"Look closer: waymark path %s, waymark annotate walk.c\n",
		name(&fixture->walk, "1"));
	assert_says(text, expected);
	assert_true(strstr(text, "Functions") < strstr(text, "Hot paths"));
}

static void test_top_of_paths(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const char *text = view(&fixture->profile, WM_VIEW_PATHS, 1);
	assert_says(text, "5 more; --top=N");
	assert_null(strstr(text, "Functions"));
	assert_null(strstr(text, name(&fixture->walk, "3")));
}

/* The way to a fork is part of two paths, and its partial path takes one of them back. */
static void test_shares_after_a_fork(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_profile_path paths[5];
	memcpy(paths, fixture->functions[0].paths, sizeof paths);
	paths[0].count = (uint64_t)-1;
	fixture->functions[0].paths = paths;
	/* As measured: 195 along the paths that ran, 14 of them only once. */
	fixture->functions[0].instructions = 195 - 14;
	fixture->profile.instructions = 181 + 21;
	const char *text = view(&fixture->profile, WM_VIEW_PATHS, 10);
	/* 140 of 195 + 21. */
	assert_says(text, "  1  64.8%  walk:");
	assert_null(strstr(text, ":0  walk.c"));
	assert_null(strstr(text, "left early"));
}

static void test_functions_without_paths(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	fixture->functions[0].paths = NULL;
	fixture->functions[0].path_count = 0;
	/* 21 of 230 instructions. */
	assert_says(view(&fixture->profile, WM_VIEW_OVERVIEW, 10),
		"\n  1 path is 9.1% of the run; 3 ran in all\n");
	fixture->functions[1].paths = NULL;
	fixture->functions[1].path_count = 0;
	assert_null(strstr(view(&fixture->profile, WM_VIEW_OVERVIEW, 10), "Hot paths"));
	assert_says(view(&fixture->profile, WM_VIEW_PATHS, 10), "no paths are known");
}

static void test_paths_of_a_function(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	const char *text = view_function(&fixture->functions[0], 10);
	assert_says(text, "walk (walk.c:19): 5 of 6 possible paths ran, 19 times in all\n"
			  "1 of them was left early, 1 time in all\n");
	assert_says(text, "Paths end, and start again, at walk.c:21\n");
	/* Shares of the function's own 209 instructions. */
	assert_says(text, "  67.0%       67.0%     10   1  walk.c:21 → line 22\n"
			  "                                22 → line 24\n"
			  "                                23-26\n"
			  "                                next iteration at line 21\n"
			  "  23.9%       90.9%      5   3  walk.c:21 → line 22\n"
			  "                                22 → line 26\n"
			  "                                26\n"
			  "                                next iteration at line 21\n"
			  "   6.7%       97.6%      1   0  walk.c:21 → line 22\n"
			  "                                22 → line 24\n"
			  "                                23-26\n"
			  "                                left early\n"
			  "   1.4%       99.0%      1   4  walk.c:21 → line 28\n"
			  "                                28\n"
			  "   1.0%      100.0%      2   5  walk.c:20\n"
			  "                                enters the loop at line 21\n");
	text = view_function(&fixture->functions[0], 2);
	assert_says(text, "3 more; --top=N");
	assert_null(strstr(text, "→ line 28"));
}

/* Paths 1 and 4 of walk were selected, and 4 did not run. */
static void select_paths_of_walk(struct fixture *fixture)
{
	static struct wm_known_key keys[] = {{0, 0, 1}, {0, 1, 4}};
	static const struct wm_sums_section sums = {
		.head = {.measure = {WM_QUANTITY_PATHS, WM_PLACEMENT_SELECTED}, .counter_count = 3},
		.key_count = 2,
		.keys = keys};
	fixture->walk.sums = &sums;
	fixture->functions[0].block = fixture->functions[0].edge = NULL;
	fixture->functions[0].paths++;
	fixture->functions[0].path_count = 1;
	fixture->functions[0].others = 1234;
	fixture->functions[0].instructions = 140;
	fixture->functions[0].calls = 0;
	fixture->profile.instructions = 161;
}

static void test_selected_paths(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	select_paths_of_walk(fixture);
	assert_says(view_function(&fixture->functions[0], 10),
		"walk (walk.c:19): 1 of 2 selected paths ran, 10 times; others of the 6 possible "
		"ran 1,234 times\n");
	assert_says(view(&fixture->profile, WM_VIEW_PATHS, 10),
		"\n  1 path is 80% of what was counted; 4 of those counted ran\n");
}

static void test_what_selected_paths_do_not_tell(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	select_paths_of_walk(fixture);
	/* chain is known: there is a listing. */
	const char *text = view(&fixture->profile, WM_VIEW_BLOCKS, 10);
	assert_says(text, "walk.c:40");
	assert_says(text,
		"\n  blocks are not known in 1 function: only selected paths were counted "
		"there\n");
	fixture->profile.function_count = 1;
	text = view(&fixture->profile, WM_VIEW_BLOCKS, 10);
	assert_says(text, "\n  blocks are not known in 1 function: only selected paths");
	assert_null(strstr(text, "count  function"));
	assert_says(view(&fixture->profile, WM_VIEW_EDGES, 10),
		"\n  edges are not known in 1 function: only selected paths");
	text = view(&fixture->profile, WM_VIEW_LINES, 10);
	assert_says(text, "\n  lines are not known in 1 function: only selected paths");
	assert_null(strstr(text, "-g"));
	static const struct wm_sums_section preferred = {
		.head = {.measure = {WM_QUANTITY_PATHS, WM_PLACEMENT_PREFERRED},
			.counter_count = 1}};
	fixture->walk.sums = &preferred;
	assert_says(view(&fixture->profile, WM_VIEW_EDGES, 10),
		"\n  edges are not known in 1 function: only paths were counted there\n");
}

static void test_choice_of_paths(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	struct wm_view_request request = {.view = WM_VIEW_PATHS,
		.top = 10,
		.path_top = 10,
		.chosen = true,
		.paths_that_ran = 8,
		.names = wm_short_names_make(&arena, &fixture->profile, false)};
	static const char *const expected[] = {
		"\n  none of the selected paths ran, of 8 that did\n",
		"\n  the selected path is 6.1% of the run, of 8 that ran\n",
		"\n  the 2 selected paths are 67.0% of the run, of 8 that ran\n"};
	fixture->functions[1].path_count = 0;
	for (uint32_t chosen = 0; chosen < 3; chosen++) {
		char *text = NULL;
		size_t bytes = 0;
		FILE *out = open_memstream(&text, &bytes);
		fixture->functions[0].path_count = chosen;
		wm_view_print(&fixture->profile, &request, out);
		fclose(out);
		assert_says(text, expected[chosen]);
		assert_says(text, "2 of 2 functions ran\n");
		free(text);
	}
}

/* Cuts lead to lines 21, 28, none, 19, 19 and 21, in this order. */
static void test_cuts_are_sorted(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	uint8_t flags[9] = {WM_EDGE_CUT, 0, WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT,
		WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT};
	struct wm_position positions[7];
	memcpy(positions, fixture->walk.positions, sizeof positions);
	positions[5].line = 19;
	positions[3].line = positions[4].line = 0;
	fixture->walk.edge_flags = flags;
	fixture->walk.positions = positions;
	assert_says(view_function(&fixture->functions[0], 10),
		"\nPaths end, and start again, at walk.c:19, 21, 28, block 3\n");
}

static void test_long_paths_are_wrapped(void **state)
{
	(void)state;
	static const struct wm_column columns[] = {{.title = "n"}, {.title = "text"}};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 2};
	char *text = NULL;
	size_t bytes = 0;
	wm_listing_add(&listing, "1");
	wm_listing_add_wrapped(&listing, "one two → three four", 10, 0);
	wm_listing_add(&listing, "2");
	wm_listing_add_wrapped(&listing, "unbreakable word", 5, 2);
	wm_listing_add(&listing, "3");
	wm_listing_add_wrapped(&listing, "", 5, 2);
	FILE *out = open_memstream(&text, &bytes);
	wm_listing_print(&listing, out, false);
	fclose(out);
	assert_string_equal(text, "  n  text\n  1  one two\n     → three\n     four\n"
				  "  2  unbreakable\n     word\n  3\n");
	free(text);
}

/* A step of which only the line is known that it went to. */
#define STEP(line, to_line)                                                                        \
	"{\"file\":\"/src/walk.c\",\"line\":" #line ",\"column\":null,\"outcome\":null,"           \
	"\"to_line\":" #to_line "}"

static void test_json(void **state)
{
	(void)state;
	struct fixture *fixture = make();
	char *text = NULL, expected[2048];
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	wm_profile_json_write(&fixture->profile, NULL, NULL, 0, out);
	fclose(out);
	snprintf(expected, sizeof expected,
		"\"cfg_hash\":\"%08" PRIx32
		"\",\"paths_known\":true,\"possible_paths\":6,\"paths\":["
		"{\"id\":0,\"count\":1,\"blocks\":[1,2,3,4],\"partial\":true,\"no_return\":false,"
		"\"next\":-1,\"steps\":[" STEP(21, 22) "," STEP(
			22, 24) "]},"
				"{\"id\":1,\"count\":10,\"blocks\":[1,2,3,4],\"partial\":false,"
				"\"no_return\":false,"
				"\"next\":1,\"steps\":[" STEP(21, 22) "," STEP(22,
					24) "]},"
					    "{\"id\":3,\"count\":5,\"blocks\":[1,2,4],\"partial\":"
					    "false,\"no_return\":false,"
					    "\"next\":1,\"steps\":[" STEP(21, 22) "," STEP(22,
						    26) "]},"
							"{\"id\":4,\"count\":1,\"blocks\":[1,5],"
							"\"partial\":false,\"no_return\":false,"
							"\"next\":-1,\"steps\":[" STEP(21,
								28) "]},"
								    "{\"id\":5,\"count\":2,"
								    "\"blocks\":[0],\"partial\":"
								    "false,\"no_return\":false,"
								    "\"next\":1,\"steps\":[]}]}",
		wm_path_cfg_hash(&fixture->walk));
	assert_says(text, expected);
	free(text);
	out = open_memstream(&text, &bytes);
	wm_path_json_function(&(struct wm_json){.out = out}, &fixture->functions[0], 2);
	fclose(out);
	assert_says(text, "\"possible_paths\":6,\n\"executed_paths\":5,\n\"starts\":[\n1],");
	snprintf(expected, sizeof expected,
		"{\"name\":\"%s\",\"id\":3,\"count\":5,\"blocks\":[1,2,4],\"partial\":false,\"no_"
		"return\":false,"
		"\"next\":1,"
		"\"instructions\":50,\"source\":\"walk.c:21 → line 22, 22 → line 26, 26, "
		"next iteration at line 21\",\"steps\":[" STEP(21, 22) "," STEP(
			22, 26) "],"
				"\"outcomes\":[{\"block\":1,\"way\":0,\"ways\":2,\"to\":2},"
				"{\"block\":2,\"way\":1,\"ways\":2,\"to\":4}]}",
		name(&fixture->walk, "3"));
	for (char *line = text; (line = strchr(line, '\n'));)
		memmove(line, line + 1, strlen(line));
	assert_says(text, expected);
	assert_null(strstr(text, "\"id\":4"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_synthetic_ids_are_path_numbers, reset),
		cmocka_unit_test_teardown(test_forms, reset),
		cmocka_unit_test_teardown(test_a_call_that_never_returns, reset),
		cmocka_unit_test_teardown(test_ranges_leave_no_line_out, reset),
		cmocka_unit_test_teardown(test_form_of_inlined_code, reset),
		cmocka_unit_test_teardown(test_ranges_end_where_functions_start, reset),
		cmocka_unit_test_teardown(test_form_without_lines, reset),
		cmocka_unit_test_teardown(test_form_of_a_switch, reset),
		cmocka_unit_test_teardown(test_blocks_without_lines_go_by_the_next, reset),
		cmocka_unit_test_teardown(test_short_names, reset),
		cmocka_unit_test_teardown(test_names_that_are_shared_say_more, reset),
		cmocka_unit_test_teardown(test_only_certain_pieces_are_joined, reset),
		cmocka_unit_test_teardown(test_counts_may_be_equal_by_chance, reset),
		cmocka_unit_test_teardown(test_circles_are_cut, reset),
		cmocka_unit_test_teardown(test_report_shows_functions_and_paths, reset),
		cmocka_unit_test_teardown(test_top_of_paths, reset),
		cmocka_unit_test_teardown(test_shares_after_a_fork, reset),
		cmocka_unit_test_teardown(test_functions_without_paths, reset),
		cmocka_unit_test_teardown(test_paths_of_a_function, reset),
		cmocka_unit_test_teardown(test_selected_paths, reset),
		cmocka_unit_test_teardown(test_what_selected_paths_do_not_tell, reset),
		cmocka_unit_test_teardown(test_choice_of_paths, reset),
		cmocka_unit_test_teardown(test_cuts_are_sorted, reset),
		cmocka_unit_test_teardown(test_long_paths_are_wrapped, reset),
		cmocka_unit_test_teardown(test_json, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
