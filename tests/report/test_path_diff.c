/* Comparisons of profiles of synthetic.h's two functions with paths, changed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff_view.h"
#include "report/path_diff.h"
#include "synthetic.h"

static struct wm_arena arena;

struct side {
	struct wm_function functions[3];
	struct wm_profile_function counted[3];
	struct wm_profile_path paths[5]; /* of walk */
	struct wm_profile profile;
};

/* walk and chain, 230 instructions. */
static struct side *make(void)
{
	struct side *side = wm_arena_alloc(&arena, 1, sizeof *side);
	side->functions[0] = synthetic_walk("walk");
	side->functions[1] = synthetic_chain("chain");
	side->counted[0] = synthetic_walk_profile(&side->functions[0]);
	side->counted[1] = synthetic_chain_profile(&side->functions[1]);
	memcpy(side->paths, side->counted[0].paths, sizeof side->paths);
	side->counted[0].paths = side->paths;
	side->profile = (struct wm_profile){.object = {.path = "/bin/sample"},
		.file = {.path = "sample.wmk", .runs = 1},
		.function_count = 2,
		.functions = side->counted,
		.instructions = 230};
	return side;
}

static int reset(void **state)
{
	(void)state;
	wm_arena_reset(&arena);
	return 0;
}

static struct wm_path_diff compare(const struct side *before, const struct side *after)
{
	struct wm_path_diff diff;
	wm_path_diff_make(&arena, &before->profile, &after->profile, false, &diff);
	return diff;
}

static void assert_near(double actual, double expected)
{
	if (fabs(actual - expected) > 1e-9)
		fail_msg("%g instead of %g", actual, expected);
}

static void test_same_profiles(void **state)
{
	(void)state;
	struct wm_path_diff diff = compare(make(), make());
	assert_int_equal(diff.path_count, 0);
	assert_int_equal(diff.function_count, 0);
	assert_int_equal(diff.same, 8);
	assert_near(diff.overlap, 1);
}

/* Path 1 runs twice as often, 3 not at all, and 2 (as long as 3) instead. */
static void test_paths_appear_vanish_and_move(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	after->paths[1].count = 20;
	after->paths[2].id = 2;
	after->counted[0].instructions = 209 + 140;
	after->profile.instructions = 230 + 140;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.changes[WM_PATH_APPEARED], 1);
	assert_int_equal(diff.changes[WM_PATH_VANISHED], 1);
	/* The shares of all others shrink, but their counts stay. */
	assert_int_equal(diff.changes[WM_PATH_MOVED], 1);
	assert_int_equal(diff.same, 6);
	const struct wm_diff_row *first = &diff.paths[0];
	assert_int_equal(first->change, WM_PATH_VANISHED);
	assert_int_equal(first->before.path->id, 3);
	assert_near(first->before.share, 50. / 230);
	assert_null(first->after.path);
	assert_int_equal(diff.paths[1].change, WM_PATH_MOVED);
	assert_int_equal(diff.paths[1].after.path->id, 1);
	assert_near(diff.paths[1].after.share, 280. / 370);
	assert_int_equal(diff.paths[2].change, WM_PATH_APPEARED);
	assert_int_equal(diff.paths[2].after.path->id, 2);
	/* The smaller shares: path 1 before, all others after. */
	assert_near(diff.overlap, 140. / 230 + (14 + 3 + 2 + 21) / 370.);
}

static void test_paths_below_zero_did_not_run(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	before->paths[0].count = (uint64_t)-3;
	after->paths[0].count = 0;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.path_count, 0);
	assert_int_equal(diff.same, 7);
}

static void test_functions_of_another_shape_are_compared_by_totals(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	uint8_t flags[] = {WM_EDGE_CUT, 0, WM_EDGE_CUT};
	after->functions[1].edge_flags = flags;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.path_count, 0);
	assert_int_equal(diff.same, 5);
	assert_int_equal(diff.function_count, 1);
	assert_int_equal(diff.functions[0].change, WM_FUNCTION_RESHAPED);
	assert_int_equal(diff.functions[0].before.instructions, 21);
	assert_near(diff.overlap, 1);
}

static void test_functions_come_and_go(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	after->functions[1].name = "change";
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.function_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct wm_diff_row *row = &diff.functions[i];
		bool new = row->change == WM_FUNCTION_NEW;
		assert_int_equal(row->change, new ? WM_FUNCTION_NEW : WM_FUNCTION_GONE);
		assert_true(new ? !row->before.function : !row->after.function);
	}
	assert_int_not_equal(diff.functions[0].change, diff.functions[1].change);
	assert_near(diff.overlap, 209. / 230);
}

static void test_functions_without_paths(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	before->counted[1].paths = NULL;
	before->counted[1].path_count = 0;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.function_count, 0);
	assert_near(diff.overlap, 1);
	after->counted[1].instructions = 22;
	diff = compare(before, after);
	assert_int_equal(diff.function_count, 1);
	assert_int_equal(diff.functions[0].change, WM_FUNCTION_COUNTED);
}

/* A file that was renamed is no reason to tell functions apart, unless there are several. */
static void test_functions_of_one_name(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	struct wm_scope renamed = {"walk", "/src/stroll.c", 19, 0, 0};
	after->functions[0].scopes = &renamed;
	assert_int_equal(compare(before, after).function_count, 0);
	before->functions[2] = synthetic_walk("walk");
	before->functions[2].scopes = &renamed;
	before->counted[2] = synthetic_walk_profile(&before->functions[2]);
	before->profile.function_count = 3;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.changes[WM_PATH_APPEARED] + diff.changes[WM_PATH_VANISHED], 0);
	assert_int_equal(diff.function_count, 1);
	assert_int_equal(diff.functions[0].change, WM_FUNCTION_GONE);
	assert_ptr_equal(diff.functions[0].before.function, &before->counted[0]);
}

/* Of walk only paths 1 and 4 were counted, of which 4 did not run, and of chain nothing. */
static struct side *make_selected(void)
{
	static struct wm_known_key keys[] = {{0, 0, 1}, {0, 1, 4}};
	struct side *side = make();
	static const struct wm_sums_section sums = {
		.head = {.measure = {WM_QUANTITY_PATHS, WM_PLACEMENT_SELECTED}, .counter_count = 3},
		.key_count = 2,
		.keys = keys};
	side->functions[0].sums = &sums;
	side->counted[0].block = side->counted[0].edge = NULL;
	side->counted[0].paths = &side->paths[1];
	side->counted[0].path_count = 1;
	side->counted[0].others = 9;
	side->counted[0].instructions = 140;
	side->profile.instructions = 140;
	side->profile.function_count = 1;
	return side;
}

static void test_only_what_both_counted_is_compared(void **state)
{
	(void)state;
	struct wm_path_diff diff = compare(make(), make_selected());
	assert_int_equal(diff.changes[WM_PATH_VANISHED], 1);
	assert_int_equal(diff.changes[WM_PATH_APPEARED], 0);
	/* Its share of both paths' 143 instructions was smaller. */
	assert_int_equal(diff.changes[WM_PATH_MOVED], 1);
	assert_int_equal(diff.same, 0);
	for (size_t i = 0; i < diff.path_count; i++)
		assert_int_equal(diff.paths[i].before.path->id,
			diff.paths[i].change == WM_PATH_VANISHED ? 4 : 1);
	assert_int_equal(diff.function_count, 0);
	assert_int_equal(diff.left_out, 1);
	assert_near(diff.overlap, 140. / 143);
	diff = compare(make_selected(), make());
	assert_int_equal(diff.changes[WM_PATH_APPEARED], 1);
	assert_int_equal(diff.path_count, 2);
	assert_int_equal(diff.left_out, 1);
	diff = compare(make_selected(), make_selected());
	assert_int_equal(diff.same, 1);
	assert_int_equal(diff.left_out, 0);
	assert_near(diff.overlap, 1);
}

/* Selected paths are no total that another shape's could be held against. */
static void test_totals_of_selected_paths_are_left_out(void **state)
{
	(void)state;
	struct side *before = make(), *after = make_selected();
	uint8_t flags[9] = {WM_EDGE_CUT};
	after->functions[0].edge_flags = flags;
	struct wm_path_diff diff = compare(before, after);
	assert_int_equal(diff.path_count + diff.function_count, 0);
	assert_int_equal(diff.left_out, 2);
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("no '%s' in:\n%s", expected, text);
}

static char *print(const struct side *before, const struct side *after, size_t top, bool json)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct wm_arena names = {0};
	const struct wm_view_request request = {.top = json ? 0 : top,
		.names = wm_short_names_make(&names, &after->profile, true),
		.old_names = wm_short_names_make(&names, &before->profile, true)};
	if (json)
		wm_diff_view_json(&before->profile, &after->profile, &request, out);
	else
		wm_diff_view_print(&before->profile, &after->profile, &request, out);
	fclose(out);
	wm_arena_reset(&names);
	return text;
}

static void test_what_people_see(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	after->paths[2].id = 2;
	after->functions[1].name = "_ZN5space5chainEv";
	char *text = print(before, after, 10, false);
	assert_says(text, "work: 230 -> 230 instructions (as much)\nold: sample, 1 run, build-id");
	/* 159 of 230. */
	assert_says(text, "69.1% of the work is on the same paths\n"
			  "1 path appeared, 1 vanished, 0 moved, 4 ran as before\n");
	assert_says(text, "   90.9%   90.9%  1 path new, 1 path gone\n    walk:");
	assert_says(text, "   21.7%    0.0%  gone, ran 5 times before\n");
	assert_says(text, "    0.0%   21.7%  new, ran 5 times\n");
	assert_says(text, "walk.c:21 → line 22\n");
	assert_says(text,
		"  space::chain                                  0.0%    9.1%  new, called 7");
	assert_says(
		text, "  chain                                         9.1%    0.0%  gone, called");
	for (char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 100);
	free(text);
	text = print(before, after, 1, false);
	assert_says(text, "2 more; --top=N");
	free(text);
}

/* Ten times the same work, but for one path of it. */
static void test_scale_is_taken_out(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	struct wm_profile_path chain[3];
	for (size_t i = 0; i < 2; i++) {
		uint32_t count = after->counted[i].path_count;
		struct wm_profile_path *paths = i == 0 ? after->paths : chain;
		memmove(paths, after->counted[i].paths, count * sizeof *paths);
		for (uint32_t k = 0; k < count; k++)
			paths[k].count *= 10;
		after->counted[i].paths = paths;
		after->counted[i].instructions *= 10;
	}
	after->profile.instructions *= 10;
	struct wm_path_diff diff = compare(before, after);
	assert_true(diff.scaled);
	assert_int_equal(diff.path_count, 0);
	assert_int_equal(diff.same, 8);
	after->paths[0].count += 3;
	diff = compare(before, after);
	assert_true(diff.scaled);
	assert_true(diff.path_count > 0);
	char *text = print(before, after, 10, false);
	assert_says(text, "work: 230 -> 2,342 instructions (10.2 times as much)\n"
			  "the new run did 10.18 times as much of the same work: ");
	/* Path 1 ran ten times as often, but of 10.18 times the work. */
	assert_says(text, "   60.9%   59.8%  a smaller share, 10 -> 100 times\n");
	assert_says(text, "  a larger share, ");
	assert_null(strstr(text, " often, "));
	free(text);
	text = print(after, before, 10, false);
	assert_says(text, " (-90.2%)\nthe old run did 10.18 times as much of the same work: ");
	free(text);
	/* Other work, of which there is more, is no scale. */
	before->paths[0].count = 0;
	before->paths[1].count = 0;
	diff = compare(before, after);
	assert_false(diff.scaled);
}

static void test_what_is_not_counted_is_said(void **state)
{
	(void)state;
	struct side *edges = make();
	for (size_t i = 0; i < 2; i++) {
		edges->counted[i].paths = NULL;
		edges->counted[i].path_count = 0;
	}
	edges->profile.file.path = "edges.wmk";
	char *text = print(make(), edges, 10, false);
	assert_says(text, "\npaths were not counted in edges.wmk: functions are compared by their "
			  "totals\n100.0% of the work is in the same functions\n");
	assert_null(strstr(text, "appeared"));
	free(text);
	text = print(make(), make_selected(), 10, false);
	assert_says(text,
		"\nin 1 function of sample.wmk only selected paths were counted\n"
		"97.9% of the work that can be compared is on the same paths\n"
		"0 paths appeared, 1 vanished, 1 moved, 0 ran as before\n"
		"1 function that ran cannot be compared: not counted, or only in part, by the "
		"other build\n");
	free(text);
	text = print(make(), make_selected(), 10, true);
	assert_says(
		text, "\"paths_known\":true,\n\"some_functions\":true,\n\"selected_functions\":1}");
	assert_says(text, "\"left_out\":1,");
	free(text);
}

/* Only the paths of functions whose code is the same are known to be the same. */
static void test_agreement_is_of_what_was_compared(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	uint8_t chain_flags[] = {WM_EDGE_CUT, 0, WM_EDGE_CUT}, walk_flags[9] = {WM_EDGE_CUT};
	after->functions[1].edge_flags = chain_flags;
	after->paths[2].id = 2;
	char *text = print(before, after, 10, false);
	/* 159 of the 209 instructions of walk. */
	assert_says(text, "\n76.1% of the work in functions whose paths can be compared is on the "
			  "same paths\n1 path appeared, 1 vanished, ");
	free(text);
	after->functions[0].edge_flags = walk_flags;
	text = print(before, after, 10, false);
	assert_says(text, "\nno function has paths that can be compared: 100.0% of the work is in "
			  "the same functions\n");
	assert_null(strstr(text, "appeared"));
	free(text);
}

static void test_what_programs_see(void **state)
{
	(void)state;
	struct side *before = make(), *after = make();
	after->paths[1].count = 11;
	after->functions[1].name = "other";
	char *text = print(before, after, 1, true);
	assert_says(text, "\"source\":\"walk.c:21 → line 22, 22 → line 24, 23-26, next iteration "
			  "at line 21\",\"old_count\":10,"
			  "\"new_count\":11,\"old_instructions\":140,\"new_instructions\":154}");
	assert_says(text, "{\"change\":\"new\",\"name\":\"other\",\"old_calls\":0,\"new_calls\":7,"
			  "\"old_instructions\":0,\"new_instructions\":21}");
	/* The others' shares shrink, but they ran as often as before. */
	assert_says(text, "\"same_paths\":4");
	free(text);
	text = print(before, after, 10, false);
	assert_says(text, "  more often, 10 -> 11 times\n");
	assert_null(strstr(text, "as often, "));
	free(text);
	text = print(after, before, 10, false);
	assert_says(text, "  less often, 11 -> 10 times\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_same_profiles, reset),
		cmocka_unit_test_teardown(test_paths_appear_vanish_and_move, reset),
		cmocka_unit_test_teardown(test_paths_below_zero_did_not_run, reset),
		cmocka_unit_test_teardown(
			test_functions_of_another_shape_are_compared_by_totals, reset),
		cmocka_unit_test_teardown(test_functions_come_and_go, reset),
		cmocka_unit_test_teardown(test_functions_without_paths, reset),
		cmocka_unit_test_teardown(test_functions_of_one_name, reset),
		cmocka_unit_test_teardown(test_only_what_both_counted_is_compared, reset),
		cmocka_unit_test_teardown(test_totals_of_selected_paths_are_left_out, reset),
		cmocka_unit_test_teardown(test_what_people_see, reset),
		cmocka_unit_test_teardown(test_scale_is_taken_out, reset),
		cmocka_unit_test_teardown(test_what_is_not_counted_is_said, reset),
		cmocka_unit_test_teardown(test_agreement_is_of_what_was_compared, reset),
		cmocka_unit_test_teardown(test_what_programs_see, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
