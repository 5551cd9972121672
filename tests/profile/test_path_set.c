/* Names of paths and sets of them: what is read, what is refused, and, on random graphs, which
 * paths they select, compared with all paths of the graph looked at one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "names/text_name.h"
#include "profile/hot_paths.h"
#include "profile/path_filter.h"
#include "support/random_graph.h"
#include "synthetic.h"

enum { GRAPHS = 3000, MAX_PATHS = 400, LINES = 6 };

static struct wm_arena arena;

static int reset(void **state)
{
	(void)state;
	wm_arena_reset(&arena);
	return 0;
}

static void test_names_are_read_back(void **state)
{
	(void)state;
	uint64_t ids[] = {17, UINT64_MAX};
	const struct wm_path_name name = {"_ZN1a1bEv", 0x0012abcd, 2, ids, false};
	char *text = wm_path_name_text(&arena, &name);
	struct wm_path_name read;
	assert_string_equal(text, "_ZN1a1bEv:0012abcd:17+18446744073709551615");
	assert_true(wm_path_name_parse(&arena, text, &read));
	assert_string_equal(read.function, "_ZN1a1bEv");
	assert_int_equal(read.hash, 0x0012abcd);
	assert_int_equal(read.id_count, 2);
	assert_memory_equal(read.ids, ids, sizeof ids);
	assert_true(wm_path_name_parse(&arena, "a::b(int):00000001:0", &read));
	assert_string_equal(read.function, "a::b(int)");
	assert_false(read.any_shape);
}

static void test_short_names_are_read_back(void **state)
{
	(void)state;
	static const char text[] = "f::{lambda(int)#1}::operator()#12+3";
	struct wm_path_name read;
	assert_true(wm_path_name_parse(&arena, text, &read));
	assert_string_equal(read.function, "f::{lambda(int)#1}::operator()");
	assert_true(read.any_shape);
	assert_int_equal(read.id_count, 2);
	assert_int_equal(read.ids[0], 12);
	assert_string_equal(wm_path_name_text(&arena, &read), text);
	struct wm_function function = synthetic_loop("_ZN1a1bIiEEvi");
	static const char *const whole[] = {"_ZN1a1bIiEEvi", "a::b<int>(int)", "a::b<int>", "a::b"},
				 *const none[] = {"b", "a", "a::b<long>", "a::b(int)", ""};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (!wm_path_name_is_of(&(struct wm_path_name){.function = whole[i]}, &function))
			fail_msg("%s", whole[i]);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (wm_path_name_is_of(&(struct wm_path_name){.function = none[i]}, &function))
			fail_msg("%s", none[i]);
	static const char *const cut[] = {"...b<int>", "...<int>(int)"};
	for (size_t i = 0; i < 2; i++)
		assert_true(
			wm_path_name_is_of(&(struct wm_path_name){.function = cut[i]}, &function));
	assert_int_equal(wm_text_name_fit("b", function.name), WM_TEXT_NAME_PART);
}

static void test_cut_names(void **state)
{
	(void)state;
	struct wm_function function = synthetic_loop("_ZN1a1bEv");
	static const struct {
		const char *text;
		bool is_of;
	} cases[] = {{"_ZN1a1bEv", true}, {"...1bEv", true}, {"..._ZN1a1bEv", true}, {"...", true},
		{"...::b", true}, {"...1cEv", false}, {"...x_ZN1a1bEv", false}, {"..1bEv", false},
		{"1bEv", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct wm_path_name name = {.function = cases[i].text};
		if (wm_path_name_is_of(&name, &function) != cases[i].is_of)
			fail_msg("%s", cases[i].text);
	}
}

static void test_what_is_no_name(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "f", "f:1", "f:0012abcd",
		"f:0012abcd:", ":0012abcd:1", "f:0012abc:1", "f:0012abcde:1", "f:0012ABCD:1",
		"f:0012abcd:x", "f:0012abcd:-1", "f:0012abcd:1+", "f:0012abcd:+1",
		"f:0012abcd:1++2", "f:0012abcd:1 ", "f:0012abcd:18446744073709551616",
		"parse.c:120", "f#", "#1", "f#1+", "f#x", "f#1:2"};
	struct wm_path_name name;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (wm_path_name_parse(&arena, texts[i], &name))
			fail_msg("'%s' was read as a name", texts[i]);
}

/* The hash sees edges and cuts, not lines, instructions or counters. */
static void test_hash_is_of_the_shape(void **state)
{
	(void)state;
	struct wm_function plain = synthetic_loop("a"), other = synthetic_loop("b");
	struct wm_position positions[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
	struct wm_block blocks[] = {{9, 0, 1}, {9, 1, 2}, {9, 3, 1}};
	uint8_t flags[] = {0, WM_EDGE_CUT, 0, 0};
	uint32_t target[] = {1, 1, 2, 1};
	other.positions = positions;
	other.blocks = blocks;
	other.counters = NULL;
	assert_int_equal(wm_path_cfg_hash(&plain), wm_path_cfg_hash(&other));
	other.edge_flags = flags;
	uint32_t cut = wm_path_cfg_hash(&other);
	assert_int_not_equal(wm_path_cfg_hash(&plain), cut);
	flags[1] |= WM_EDGE_UNCOUNTABLE;
	assert_int_equal(wm_path_cfg_hash(&other), cut);
	other = synthetic_loop("a");
	other.edge_target = target;
	assert_int_not_equal(wm_path_cfg_hash(&plain), wm_path_cfg_hash(&other));
	other = synthetic_loop("a");
	other.edge_count = 3;
	assert_int_not_equal(wm_path_cfg_hash(&plain), wm_path_cfg_hash(&other));
}

static struct wm_path_set parse(const char *text)
{
	struct wm_path_set set;
	struct wm_error error;
	if (wm_path_set_parse(&arena, text, &set, &error) < 0)
		fail_msg("%s", error.text);
	return set;
}

static void test_sets_are_read(void **state)
{
	(void)state;
	struct wm_path_set set = parse(" f:0012abcd:1 ,\n\nhot:99.5%\r\nfunction:par[st]e_*,"
				       "a.c:12&&lib/b.c:7");
	assert_int_equal(set.item_count, 4);
	assert_true(set.needs_profile);
	assert_int_equal(set.items[0].kind, WM_PATH_ITEM_NAME);
	assert_string_equal(set.items[0].text, "f:0012abcd:1");
	assert_int_equal(set.items[1].kind, WM_PATH_ITEM_HOT);
	assert_true(set.items[1].percent == 99.5);
	assert_int_equal(set.items[2].kind, WM_PATH_ITEM_FUNCTION);
	assert_string_equal(set.items[2].glob, "par[st]e_*");
	assert_int_equal(set.items[3].kind, WM_PATH_ITEM_LINES);
	assert_int_equal(set.items[3].line_count, 2);
	assert_string_equal(set.items[3].lines[1].file, "lib/b.c");
	assert_int_equal(set.items[3].lines[1].line, 7);
	/* A function may have the name of a keyword. */
	assert_int_equal(parse("hot:0012abcd:1").items[0].kind, WM_PATH_ITEM_NAME);
}

/* A comma in brackets is a part of a name; operators are no brackets. */
static void test_commas_in_names(void **state)
{
	(void)state;
	static const char *const items[] = {"two<int, A<B, C>>#1", "walk(int, double) const#2",
		"operator<#3", "operator>#4", "A::operator()#5", "less<int#6", "B::operator->#7"};
	char text[200] = "";
	for (size_t i = 0; i < sizeof items / sizeof *items; i++)
		strcat(strcat(text, i > 0 ? "," : ""), items[i]);
	struct wm_path_set set = parse(text);
	assert_int_equal(set.item_count, sizeof items / sizeof *items);
	for (size_t i = 0; i < set.item_count; i++)
		assert_string_equal(set.items[i].text, items[i]);
}

static void test_mistakes_are_named(void **state)
{
	(void)state;
	static const char *const texts[][2] = {{"", "no path is named"}, {" ,\n", "no path"},
		{"hot:90", "hot:90%"}, {"hot:0%", "'hot:0%'"}, {"hot:101%", "'hot:101%'"},
		{"hot:nan%", "'hot:nan%'"}, {"hot:0x10%", "'hot:0x10%'"},
		{"hot:1e1%", "'hot:1e1%'"}, {"hot:1.2.3%", "'hot:1.2.3%'"}, {"hot:.%", "'hot:.%'"},
		{"hot:%", "'hot:%'"}, {"function:", "no function"},
		{"main", "did you mean function:main?"}, {"a.c:0", "'a.c:0'"},
		{"a.c:1&&", "'a.c:1&&'"}, {"a.c:1&&b.c", "'a.c:1&&b.c'"}, {":5", "':5'"},
		{"a.c:99999999999", "99999999999"}, {"f:0012abcd:1,g:0012abc:2", "'g:0012abc:2'"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wm_path_set set;
		struct wm_error error = {""};
		assert_int_equal(
			wm_path_set_parse(&arena, texts[i][0], &set, &error), WM_ERROR_INPUT);
		if (!strstr(error.text, texts[i][1]))
			fail_msg("'%s' gives: %s", texts[i][0], error.text);
	}
}

/* A function with the graph's shape; block b holds line (b + shift) % (LINES + 1), or none if that
 * is 0. */
static struct wm_function describe(const struct wm_cfg *cfg, uint32_t shift)
{
	static struct wm_scope scope = {"graph", "/src/lib/graph.c", 1, 0, 0};
	uint32_t blocks = cfg->vertex_count - 1;
	struct wm_function function = {.name = "graph",
		.block_count = blocks,
		.blocks = wm_arena_alloc(&arena, blocks, sizeof *function.blocks),
		.position_count = blocks,
		.positions = wm_arena_alloc(&arena, blocks, sizeof *function.positions),
		.scope_count = 1,
		.scopes = &scope,
		.edge_count = cfg->edge_count,
		.edge_source = cfg->source,
		.edge_target = cfg->target,
		.edge_flags = wm_arena_alloc(&arena, cfg->edge_count, 1)};
	for (uint32_t b = 0; b < blocks; b++) {
		function.positions[b] = (struct wm_position){0, (b + shift) % (LINES + 1)};
		function.blocks[b] = (struct wm_block){1, b, 1};
	}
	return function;
}

/* Lines on the path as bits, by walking along its edges. */
static uint64_t lines_on_path(
	const struct wm_function *function, const struct wm_paths *paths, uint64_t id)
{
	uint32_t edges[64];
	uint32_t count = wm_paths_decode(paths, id, edges);
	uint64_t lines = (uint64_t)1 << function->positions[0].line;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t target = paths->graph->target[edges[i]];
		if (paths->kind[edges[i]] == WM_PATH_EDGE_START)
			lines = 0;
		if (target < function->block_count)
			lines |= (uint64_t)1 << function->positions[target].line;
	}
	return lines;
}

static void check_graph(struct random_source *source, size_t *selected)
{
	const struct wm_cfg *cfg = random_graph(&arena, source, 10);
	struct wm_function function = describe(cfg, random_below(source, LINES + 1));
	struct wm_paths paths;
	struct wm_error error;
	struct wm_path_ranges ranges;
	uint32_t first = 1 + random_below(source, LINES), second = 1 + random_below(source, LINES);
	char text[64];
	if (wm_paths_number(&arena, cfg, NULL, 1 << 20, &paths, &error) < 0 ||
		paths.count > MAX_PATHS)
		return;
	snprintf(text, sizeof text, "graph.c:%u&&lib/graph.c:%u", first, second);
	struct wm_path_set set = parse(text);
	assert_int_equal(wm_path_set_match(&arena, &set, &function, &paths, &ranges, &error), 0);
	uint64_t wanted = (uint64_t)1 << first | (uint64_t)1 << second, found = 0;
	for (uint64_t id = 0; id < paths.count; id++) {
		bool expected = (lines_on_path(&function, &paths, id) & wanted) == wanted;
		assert_int_equal(wm_path_ranges_have(&ranges, id), expected);
		found += expected;
	}
	assert_int_equal(ranges.paths, found);
	assert_int_equal(wm_path_set_check(&set, true, &error), found ? 0 : WM_ERROR_MISMATCH);
	assert_false(wm_path_ranges_have(&ranges, paths.count));
	*selected += found > 0 && found < paths.count;
}

static void test_lines_select_the_paths_through_them(void **state)
{
	(void)state;
	struct random_source source = random_from_seed(5);
	size_t selected = 0;
	for (int i = 0; i < GRAPHS; i++) {
		check_graph(&source, &selected);
		wm_arena_reset(&arena);
	}
	/* Most graphs must have put the question: some paths match, others do not. */
	assert_true(selected > GRAPHS / 4);
}

/* Two diamonds in a row, of blocks 0 to 6: 4 paths. The arms hold lines 2, 3 and 5, 6. */
static const struct wm_cfg *two_diamonds(void)
{
	static const uint32_t source[] = {0, 0, 1, 2, 3, 3, 4, 5, 6},
			      target[] = {1, 2, 3, 3, 4, 5, 6, 6, 7};
	return wm_cfg_build(&arena, 8, 9, source, target, 0, 7);
}

static void match(struct wm_path_set *set, struct wm_path_ranges *ranges)
{
	struct wm_paths paths;
	struct wm_error error;
	const struct wm_cfg *cfg = two_diamonds();
	struct wm_function function = describe(cfg, 0);
	assert_int_equal(wm_paths_number(&arena, cfg, NULL, 1 << 20, &paths, &error), 0);
	assert_int_equal(paths.count, 4);
	assert_int_equal(wm_path_set_match(&arena, set, &function, &paths, ranges, &error), 0);
}

static const char *own_name(uint64_t id)
{
	struct wm_function function = describe(two_diamonds(), 0);
	return wm_path_name_text(&arena,
		&(struct wm_path_name){"graph", wm_path_cfg_hash(&function), 1, &id, false});
}

static void test_items_add_up(void **state)
{
	(void)state;
	struct wm_path_ranges ranges;
	char text[128];
	snprintf(text, sizeof text, "%s+3,%s", own_name(1), own_name(2));
	struct wm_path_set set = parse(text);
	match(&set, &ranges);
	assert_int_equal(ranges.count, 1);
	assert_int_equal(ranges.ranges[0].first, 1);
	assert_int_equal(ranges.paths, 3);
	set = parse("function:g*,graph.c:1");
	match(&set, &ranges);
	assert_int_equal(ranges.count, 1);
	assert_int_equal(ranges.paths, 4);
	set = parse("function:h*");
	match(&set, &ranges);
	assert_int_equal(ranges.paths, 0);
}

static void test_what_did_not_match_is_told(void **state)
{
	(void)state;
	struct wm_path_ranges ranges;
	struct wm_error error;
	char text[256];
	snprintf(text, sizeof text,
		"%s,%s,graph:00000000:1,other:00000000:1,graph.c:2&&graph.c:5,graph.c:77,"
		"function:h*",
		own_name(0), own_name(4));
	struct wm_path_set set = parse(text);
	match(&set, &ranges);
	assert_int_equal(ranges.paths, 2);
	assert_int_equal(wm_path_set_check(&set, false, &error), WM_ERROR_MISMATCH);
	snprintf(text, sizeof text,
		"paths: 2 of 7 matched; not matched: %s (no path of this number), "
		"graph:00000000:1 (of another build: the function's blocks or edges differ)",
		own_name(4));
	assert_string_equal(error.text, text);
	assert_int_equal(wm_path_set_check(&set, true, &error), WM_ERROR_MISMATCH);
	assert_non_null(strstr(error.text, "other:00000000:1 (no such function), graph.c:77 (no "
					   "code at such a line), and 1 more"));
}

static void test_contradictory_lines(void **state)
{
	(void)state;
	struct wm_path_ranges ranges;
	struct wm_error error;
	struct wm_path_set set = parse("graph.c:1&&graph.c:2,graph.c:4&&graph.c:5");
	match(&set, &ranges);
	/* Blocks 1 and 2 are the arms of one diamond, 4 and 5 those of the other. */
	assert_int_equal(ranges.paths, 0);
	assert_int_equal(wm_path_set_check(&set, false, &error), WM_ERROR_MISMATCH);
	assert_non_null(strstr(error.text, "0 of 2 matched; not matched: graph.c:1&&graph.c:2 (no "
					   "path runs through all of these lines)"));
	set = parse("graph.c:1&&graph.c:5");
	match(&set, &ranges);
	assert_int_equal(ranges.paths, 1);
}

/* Inlined code is reached through the line of its call, too. */
static void test_lines_of_inlined_code(void **state)
{
	(void)state;
	struct wm_path_ranges ranges;
	struct wm_scope scopes[] = {{"graph", "/src/graph.c", 1, 0, 0},
		{"callee", "/src/callee.h", 1, 0, 50}, {"deep", "/src/deep.h", 1, 1, 8}};
	const struct wm_cfg *cfg = two_diamonds();
	struct wm_function function = describe(cfg, 0);
	struct wm_paths paths;
	struct wm_error error;
	function.scopes = scopes;
	function.scope_count = 3;
	function.positions[1] = (struct wm_position){2, 3};
	assert_int_equal(wm_paths_number(&arena, cfg, NULL, 1 << 20, &paths, &error), 0);
	static const char *const lines[] = {"deep.h:3", "callee.h:8", "/src/graph.c:50"};
	for (size_t i = 0; i < 3; i++) {
		struct wm_path_set set = parse(lines[i]);
		assert_int_equal(
			wm_path_set_match(&arena, &set, &function, &paths, &ranges, &error), 0);
		assert_int_equal(ranges.paths, 2);
	}
	struct wm_path_set set = parse("raph.c:50");
	assert_int_equal(wm_path_set_match(&arena, &set, &function, &paths, &ranges, &error), 0);
	assert_int_equal(ranges.paths, 0);
}

/* Paths with 60, 30, 9 and 1 of 100 instructions, and one that a fork left below zero. */
static void test_hot_paths_are_resolved(void **state)
{
	(void)state;
	struct wm_function function = describe(two_diamonds(), 0);
	static const uint32_t block = 0;
	struct wm_profile_path paths[] = {{0, 9, false, 1, &block, 0, NULL, 0},
		{1, 60, false, 1, &block, 0, NULL, 0}, {2, 1, true, 1, &block, 0, NULL, 0},
		{3, 30, false, 1, &block, 0, NULL, 0},
		{4, (uint64_t)-5, true, 1, &block, 0, NULL, 0}};
	struct wm_profile_function functions[] = {
		{.function = &function, .path_count = 5, .paths = paths}, {.function = &function}};
	const struct wm_profile profile = {.file = {.path = "x.wmk"},
		.function_count = 2,
		.functions = functions,
		.instructions = 100};
	struct wm_hot_paths hot;
	wm_hot_paths_rank(&arena, functions, 2, &hot);
	assert_int_equal(hot.count, 4);
	assert_int_equal(hot.instructions, 100);
	assert_int_equal(hot.partial, 1);
	assert_int_equal(hot.partial_count, 1);
	assert_int_equal(hot.paths[0].path->id, 1);
	assert_int_equal(hot.paths[3].path->id, 2);
	static const struct {
		const char *text;
		size_t paths;
	} cases[] = {{"hot:1%", 1}, {"hot:60%", 1}, {"hot:61%", 2}, {"hot:90%", 2},
		{"hot:99.5%", 4}, {"hot:100%", 4}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wm_path_set set = parse(cases[i].text);
		struct wm_path_ranges ranges;
		struct wm_error error;
		assert_int_equal(wm_path_set_resolve(&arena, &set, &profile, &error), 0);
		assert_int_equal(set.items[0].name_count, 1);
		assert_int_equal(set.items[0].names[0].id_count, cases[i].paths);
		assert_false(set.needs_profile);
		match(&set, &ranges);
		assert_int_equal(ranges.paths, cases[i].paths);
		assert_true(wm_path_ranges_have(&ranges, 1));
	}
}

static void test_hot_needs_counted_paths(void **state)
{
	(void)state;
	struct wm_path_set set = parse("hot:90%");
	struct wm_error error;
	const struct wm_profile profile = {.file = {.path = "x.wmk"}};
	assert_int_equal(wm_path_set_resolve(&arena, &set, &profile, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "x.wmk: no paths were counted"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_names_are_read_back, reset),
		cmocka_unit_test_teardown(test_short_names_are_read_back, reset),
		cmocka_unit_test_teardown(test_cut_names, reset),
		cmocka_unit_test_teardown(test_what_is_no_name, reset),
		cmocka_unit_test_teardown(test_hash_is_of_the_shape, reset),
		cmocka_unit_test_teardown(test_sets_are_read, reset),
		cmocka_unit_test_teardown(test_commas_in_names, reset),
		cmocka_unit_test_teardown(test_mistakes_are_named, reset),
		cmocka_unit_test_teardown(test_lines_select_the_paths_through_them, reset),
		cmocka_unit_test_teardown(test_items_add_up, reset),
		cmocka_unit_test_teardown(test_what_did_not_match_is_told, reset),
		cmocka_unit_test_teardown(test_contradictory_lines, reset),
		cmocka_unit_test_teardown(test_lines_of_inlined_code, reset),
		cmocka_unit_test_teardown(test_hot_paths_are_resolved, reset),
		cmocka_unit_test_teardown(test_hot_needs_counted_paths, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
