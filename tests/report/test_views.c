/* The listings and the JSON of one small profile, whose figures are worked out by hand: two loops
 * as in synthetic.h, the first called twice with nine repetitions, the second never. Its 61
 * instructions are 2 x 1 in block 0, 11 x 5 in block 1 (90.2 %) and 2 x 2 in block 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/call_view.h"
#include "report/ending.h"
#include "report/profile_json.h"
#include "report/views.h"
#include "synthetic.h"

static const uint64_t ran_blocks[] = {2, 11, 2}, ran_edges[] = {2, 9, 2, 2};
static const uint64_t idle_blocks[] = {0, 0, 0}, idle_edges[] = {0, 0, 0, 0};

static char *print_view(const struct wm_profile *given, const struct wm_view_request *request)
{
	struct wm_profile profile = *given;
	char *text = NULL;
	size_t bytes = 0;
	profile.file.path = "run.wmk";
	FILE *out = open_memstream(&text, &bytes);
	wm_view_print(&profile, request, out);
	fclose(out);
	return text;
}

static bool verbose;

static char *print(const struct wm_profile *given, enum wm_view which, size_t top, bool json)
{
	struct wm_profile profile = *given;
	char *text = NULL;
	size_t bytes = 0;
	if (!json)
		return print_view(
			given, &(struct wm_view_request){
				       .view = which, .top = top, .now = 8200, .verbose = verbose});
	profile.file.path = "run.wmk";
	FILE *out = open_memstream(&text, &bytes);
	wm_profile_json_write(&profile, NULL, NULL, 0, out);
	fclose(out);
	return text;
}

static char *view(enum wm_view which, size_t top, bool edges_known, bool json)
{
	const struct wm_function ran = synthetic_loop("_ZN5space3ranEv"),
				 idle = synthetic_loop("idle");
	struct wm_profile_function functions[] = {
		{.function = &idle, .block = idle_blocks, .edge = edges_known ? idle_edges : NULL},
		{.function = &ran,
			.block = ran_blocks,
			.edge = edges_known ? ran_edges : NULL,
			.calls = 2,
			.instructions = 61,
			.increments = 11,
			.block_entries = 15}};
	const struct wm_profile profile = {.object = {.path = "/bin/sample"},
		.file = {.modified = 1000,
			.file_count = 2,
			.runs = 3,
			.build_id = {.bytes = 2, .byte = {0xca, 0xfe}}},
		.function_count = 2,
		.functions = functions,
		.executed_functions = 1,
		.instructions = 61,
		.counters = 4,
		.blocks = 6,
		.increments = 11,
		.block_entries = 15};
	return print(&profile, which, top, json);
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("no '%s' in:\n%s", expected, text);
}

static void assert_narrow(const char *text)
{
	for (; *text; text += strcspn(text, "\n") + 1)
		assert_true(strcspn(text, "\n") <= 100);
}

static void test_overview(void **state)
{
	(void)state;
	char *text = view(WM_VIEW_OVERVIEW, 10, true, false);
	assert_says(text,
		"sample: 3 runs, 61 instructions of work (not time), from run.wmk and 1 more, the "
		"newest 2 hours old\n1 of 2 functions ran\n");
	assert_says(text, "  space::ran  loop.c:9  ████████  100.0%      2      30.5\n");
	assert_says(text, "  90.2%     11  space::ran      1  loop.c:11");
	assert_null(strstr(text, "cafe"));
	assert_null(strstr(text, "saved"));
	assert_null(strstr(text, "idle"));
	assert_narrow(text);
	free(text);
}

/* What only developers ask for. */
static void test_verbose(void **state)
{
	(void)state;
	verbose = true;
	char *text = view(WM_VIEW_OVERVIEW, 10, true, false);
	verbose = false;
	assert_says(text, "\nbuild-id cafe\n");
	assert_says(text, "4 counters instead of 6: 33.3% saved");
	assert_says(text, "at most 11 increments instead of 15: at least 26.7% saved");
	free(text);
}

/* 1000, 500, 130 and 1 of 1631: eighths of a cell are 64, 32, 8.3 and 0.06, but at least one. */
static void test_bars_and_work_per_call(void **state)
{
	(void)state;
	const struct wm_function ran = synthetic_loop("ran");
	struct wm_profile_function functions[4];
	static const uint64_t work[] = {1, 500, 1000, 130}, calls[] = {1, 0, 3, 20};
	for (size_t i = 0; i < 4; i++)
		functions[i] = (struct wm_profile_function){.function = &ran,
			.block = ran_blocks,
			.instructions = work[i],
			.calls = calls[i],
			.paths = i == 3 ? &(struct wm_profile_path){0} : NULL,
			.path_count = i == 3,
			.possible_paths = 12345678901};
	const struct wm_profile profile = {.object = {.path = "ran"},
		.function_count = 4,
		.functions = functions,
		.instructions = 1631};
	char *text = print(&profile, WM_VIEW_FUNCTIONS, 10, false);
	assert_says(text, "  ████████  61.3%      3       333             -\n");
	assert_says(text, "  ████      30.7%      0         -             -\n");
	assert_says(text, "  █          8.0%     20       6.5  1 of > 10^10\n");
	assert_says(text, "  ▏          0.1%      1         1             -\n");
	assert_narrow(text);
	free(text);
}

/* The build-id in a default name is of no use to people. */
static void test_long_names_of_files_are_shortened(void **state)
{
	(void)state;
	struct wm_profile profile = {.object = {.path = "app"},
		.file = {.path = "app-0102030405060708.wmk",
			.runs = 1,
			.build_id = {.bytes = 8, .byte = {1, 2, 3, 4, 5, 6, 7, 8}}}};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	wm_view_print(&profile, &(struct wm_view_request){.view = WM_VIEW_FUNCTIONS}, out);
	fclose(out);
	assert_says(text, ", from app-01020304….wmk\n");
	free(text);
}

static void test_savings_are_told_where_there_are_any(void **state)
{
	(void)state;
	struct wm_profile profile = {.object = {.path = "sample"},
		.counters = 28,
		.blocks = 11,
		.increments = 200,
		.block_entries = 100};
	verbose = true;
	char *text = print(&profile, WM_VIEW_OVERVIEW, 10, false);
	assert_null(strstr(text, "saved"));
	free(text);
	profile.increments = 99;
	text = print(&profile, WM_VIEW_OVERVIEW, 10, false);
	verbose = false;
	assert_says(text, "saved, against one in every block\n"
			  "  at most 99 increments instead of 100: at least 1.0% saved\n");
	assert_null(strstr(text, "28"));
	free(text);
}

static void test_rows_beyond_the_top_are_announced(void **state)
{
	(void)state;
	char *text = view(WM_VIEW_BLOCKS, 1, true, false);
	assert_says(text, "loop.c:11");
	assert_null(strstr(text, "loop.c:13"));
	assert_says(text, "2 more; --top=N");
	free(text);
}

static void test_edges(void **state)
{
	(void)state;
	char *text = view(WM_VIEW_EDGES, 10, true, false);
	assert_says(text, "      9  space::ran  1 (loop.c:11)  1 (loop.c:11)\n");
	assert_says(text, "      2  space::ran  2 (loop.c:13)  exit\n");
	free(text);
	text = view(WM_VIEW_EDGES, 10, false, false);
	assert_says(text, "edges are not known in 1 of the executed functions");
	free(text);
}

static void test_lines(void **state)
{
	(void)state;
	char *text = view(WM_VIEW_LINES, 10, true, false);
	assert_says(text, "    ~11  loop.c:11");
	assert_says(text, "    ~11  loop.c:12");
	assert_says(text, "     ~2  loop.c:13");
	free(text);
}

static void test_json(void **state)
{
	(void)state;
	char *text = view(WM_VIEW_OVERVIEW, 1, true, true);
	assert_says(text, "\"program\":\"/bin/sample\",\n\"build_id\":\"cafe\",\n\"runs\":3,");
	assert_says(text, "{\"name\":\"_ZN5space3ranEv\",\"display_name\":\"space::ran()\","
			  "\"file\":\"/src/loop.c\",\"line\":9,");
	assert_says(text, "\"entry_count\":2,\"blocks_known\":true,\"blocks\":["
			  "{\"id\":0,\"line\":10,\"count\":2,\"instructions\":1},"
			  "{\"id\":1,\"line\":11,\"count\":11,\"instructions\":5},"
			  "{\"id\":2,\"line\":13,\"count\":2,\"instructions\":2}],"
			  "\"edges_known\":true,\"edges\":["
			  "{\"from\":0,\"to\":1,\"count\":2},{\"from\":1,\"to\":1,\"count\":9},"
			  "{\"from\":1,\"to\":2,\"count\":2},{\"from\":2,\"to\":-1,\"count\":2}],"
			  "\"left_early\":[],");
	free(text);
	text = view(WM_VIEW_OVERVIEW, 1, false, true);
	assert_says(text, "\"edges_known\":false,\"edges\":[],\"left_early\":[],");
	free(text);
}

/* The loop of synthetic.h calls in its block 1, which ran 11 times, and twice in block 2. One
 * activation was left in block 1. */
static char *view_of_calls(const char *callee, bool json)
{
	static uint32_t source[] = {0, 1, 1, 2, 1}, target[] = {1, 1, 2, 3, 3};
	static uint8_t flags[] = {0, 0, 0, 0, WM_EDGE_UNCOUNTABLE | WM_EDGE_ABANDONED};
	static const uint64_t edges[] = {2, 9, 1, 1, 1};
	static const struct wm_call_site calls[] = {
		{1, WM_CALL_IN_FRONT, "_ZN5space5firstEv", 0, 11},
		{1, WM_CALL_BEHIND | WM_CALL_IN_FRONT, "", 0, 12}, {2, WM_CALL_TAIL, "last", 0, 0}};
	struct wm_function loop = synthetic_loop("loop");
	loop.edge_source = source;
	loop.edge_target = target;
	loop.edge_flags = flags;
	loop.edge_count = 5;
	loop.calls = calls;
	loop.call_count = 3;
	struct wm_profile_function function = {
		.function = &loop, .block = ran_blocks, .edge = edges, .calls = 2};
	const struct wm_profile profile = {
		.object = {.path = "loop"}, .function_count = 1, .functions = &function};
	struct wm_view_request request = {.view = WM_VIEW_CALLS, .top = 10};
	request.callees = callee ? &callee : NULL;
	request.callee_count = 1;
	return json ? print(&profile, WM_VIEW_CALLS, 10, true) : print_view(&profile, &request);
}

static void test_calls(void **state)
{
	(void)state;
	char *text = view_of_calls(NULL, false);
	assert_says(text, "        11  loop    space::first()  loop.c:11\n"
			  "  10 to 11  loop    (by a pointer)  loop.c:12\n"
			  "         2  loop    last            -\n");
	free(text);
	text = view_of_calls(NULL, true);
	assert_says(text,
		"\"calls\":["
		"{\"callee\":\"_ZN5space5firstEv\",\"block\":1,\"line\":11,"
		"\"tail\":false,\"count\":11},"
		"{\"callee\":\"\",\"block\":1,\"line\":12,\"tail\":false,"
		"\"at_least\":10,\"at_most\":11},"
		"{\"callee\":\"last\",\"block\":2,\"line\":0,\"tail\":true,\"count\":2}],");
	free(text);
}

/* Two functions: `low` calls `high` in its block 0 and 2, which ran twice each, and `high` calls
 * itself in block 1, which ran 10 times. `high` was entered 25 times, so 11 times not by name. */
static void test_callers_are_joined(void **state)
{
	(void)state;
	static const struct wm_call_site from_low[] = {
		{0, 0, "high", 0, 10}, {2, 0, "high", 0, 13}};
	static const struct wm_call_site from_high[] = {{1, 0, "high", 0, 11}};
	static const uint64_t high_blocks[] = {25, 10, 25};
	struct wm_function low = synthetic_loop("low"), high = synthetic_loop("high");
	low.calls = from_low;
	low.call_count = 2;
	high.calls = from_high;
	high.call_count = 1;
	struct wm_profile_function functions[] = {
		{.function = &low, .block = ran_blocks, .edge = ran_edges, .calls = 2},
		{.function = &high, .block = high_blocks, .calls = 25}};
	const struct wm_profile profile = {.function_count = 2, .functions = functions};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	wm_call_view_print_callers(&profile, &functions[1], out);
	fclose(out);
	assert_string_equal(
		text, "high was entered 25 times: 10 from high, 4 from low, 11 otherwise\n");
	free(text);
}

static void test_callers(void **state)
{
	(void)state;
	char *text = view_of_calls("last", false);
	assert_says(text, "  2  loop    last    -\n");
	assert_null(strstr(text, "first"));
	assert_null(strstr(text, "entered"));
	free(text);
	text = view_of_calls("loop", false);
	assert_says(text, "  none by name\n  entered 2 times: 0 by name, 2 by a pointer,");
	free(text);
}

/* Block 1 holds a call that forked: the child came back twice more than the parent called. Its edge
 * to EXIT is none that the program took. */
static void test_abandoned_calls_are_no_edges(void **state)
{
	(void)state;
	uint32_t source[] = {0, 1, 1, 2, 1}, target[] = {1, 1, 2, 3, 3};
	uint8_t flags[] = {0, 0, 0, 0, WM_EDGE_UNCOUNTABLE | WM_EDGE_ABANDONED};
	const uint64_t counts[] = {2, 9, 2, 2, (uint64_t)-2};
	struct wm_function loop = synthetic_loop("loop");
	loop.edge_source = source;
	loop.edge_target = target;
	loop.edge_flags = flags;
	loop.edge_count = 5;
	struct wm_profile_function function = {
		.function = &loop, .block = ran_blocks, .edge = counts, .calls = 2};
	const struct wm_profile profile = {
		.object = {.path = "loop"}, .function_count = 1, .functions = &function};
	char *text = print(&profile, WM_VIEW_EDGES, 10, true);
	assert_says(text, "{\"from\":2,\"to\":-1,\"count\":2}],"
			  "\"left_early\":[{\"block\":1,\"count\":-2}],");
	free(text);
	text = print(&profile, WM_VIEW_EDGES, 10, false);
	assert_null(strstr(text, "1 (loop.c:11)  exit"));
	assert_says(text, "2 (loop.c:13)  exit");
	free(text);
}

/* Of three functions the first waits in a call, the second came back from one once more than it was
 * made, the third has no such edge. */
static char *view_of_cut_short(struct wm_file file, bool json, size_t top)
{
	uint32_t source[] = {0, 1, 1, 2, 1}, target[] = {1, 1, 2, 3, 3};
	uint8_t flags[] = {0, 0, 0, 0, WM_EDGE_UNCOUNTABLE | WM_EDGE_ABANDONED};
	const uint64_t waits[] = {2, 9, 1, 1, 1}, forked[] = {2, 9, 3, 3, (uint64_t)-1};
	struct wm_function loops[] = {synthetic_loop("waits"), synthetic_loop("forked"),
		synthetic_loop("plain"), synthetic_loop("waits_too")};
	struct wm_profile_function functions[] = {
		{.function = &loops[0], .block = ran_blocks, .edge = waits},
		{.function = &loops[1], .block = ran_blocks, .edge = forked},
		{.function = &loops[2], .block = ran_blocks, .edge = ran_edges},
		{.function = &loops[3], .block = ran_blocks, .edge = waits}};
	for (int i = 0; i < 4; i++) {
		loops[i].edge_source = source;
		loops[i].edge_target = target;
		loops[i].edge_flags = flags;
		loops[i].edge_count = i == 2 ? 4 : 5;
	}
	const struct wm_profile profile = {.object = {.path = "sample"},
		.file = file,
		.function_count = 4,
		.functions = functions};
	return print(&profile, WM_VIEW_FUNCTIONS, top, json);
}

static void test_threads_cut_short_are_told(void **state)
{
	(void)state;
	char *text = view_of_cut_short((struct wm_file){.cut_short = 1}, false, 10);
	assert_narrow(text);
	assert_says(text, "4 functions ran\n1 thread was cut short (alive at exit, killed): the "
			  "innermost frame may be off by one, or a loop\n\n");
	free(text);
	text = view_of_cut_short((struct wm_file){.cut_short = 1200}, false, 1);
	assert_says(text, "\n1,200 threads were cut short (alive at exit, killed): ");
	free(text);
}

static void test_threads_that_count_now_are_told(void **state)
{
	(void)state;
	char *text = view_of_cut_short((struct wm_file){.running = 2}, false, 10);
	assert_narrow(text);
	assert_says(text, "\n2 threads are still counting: the innermost frames may be off");
	assert_null(strstr(text, "cut short"));
	free(text);
	text = view_of_cut_short((struct wm_file){.runs = 1}, false, 10);
	assert_null(strstr(text, "thread"));
	free(text);
}

static void test_status_is_told(void **state)
{
	(void)state;
	const struct wm_file file = {
		.runs = 1, .cut_short = 2, .running = 3, .status = WM_STATUS_THREADS_IN_MEMORY};
	char *text = view_of_cut_short(file, false, 10);
	assert_says(text, "\nSome threads counted in memory");
	assert_narrow(text);
	free(text);
	text = view_of_cut_short(file, true, 10);
	assert_says(text, "\"runs\":1,\n\"cut_short\":2,\n\"running\":3,\n"
			  "\"status\":[\n\"threads_in_memory\"],");
	free(text);
	text = view_of_cut_short((struct wm_file){.status = WM_STATUS_COUNTS_LOST}, true, 10);
	assert_says(text, "\"status\":[\n\"counts_lost\"],");
	free(text);
	text = view_of_cut_short((struct wm_file){.status = WM_STATUS_COUNTS_LOST}, false, 10);
	assert_says(text, "\nSome counts of paths were lost");
	assert_null(strstr(text, "Some threads"));
	free(text);
	text = view_of_cut_short((struct wm_file){.status = WM_STATUS_FORKED}, true, 10);
	assert_says(text, "\"status\":[\n\"forked\"],");
	free(text);
	text = view_of_cut_short((struct wm_file){.status = WM_STATUS_FORKED}, false, 10);
	assert_null(strstr(text, "null"));
	free(text);
	text = view_of_cut_short((struct wm_file){.status = 1u << 31}, true, 10);
	assert_says(text, "\"status\":[\n\"unknown\"],");
	free(text);
	text = view_of_cut_short((struct wm_file){.runs = 1}, true, 10);
	assert_says(
		text, "\"cut_short\":0,\n\"running\":0,\n\"status\":[],\n\"unknown_kinds\":[],");
	free(text);
}

static void test_sections_that_are_unknown_are_told(void **state)
{
	(void)state;
	struct wm_function functions[2] = {synthetic_loop("one"), synthetic_loop("two")};
	struct wm_profile_function results[2] = {
		{.function = &functions[0]}, {.function = &functions[1]}};
	struct wm_profile profile = {.function_count = 2, .functions = results};
	char *text = NULL;
	size_t bytes = 0;
	for (int known = 0; known < 2; known++) {
		functions[1].unknown_tag = known ? 0 : 77;
		FILE *out = open_memstream(&text, &bytes);
		wm_ending_print(&profile, out);
		fclose(out);
		if (known)
			assert_string_equal(text, "");
		else
			assert_non_null(strstr(text, "1 function has data of section 77, which "
						     "this waymark does not know."));
		free(text);
	}
}

static void test_data_of_unknown_kinds_is_told(void **state)
{
	(void)state;
	struct wm_file file = {.runs = 1};
	file.unknown_kinds[4] = file.unknown_kinds[40] = true;
	char *text = view_of_cut_short(file, false, 10);
	assert_says(
		text, "\nThe file holds data of kind 4, 40, which this waymark does not know.\n");
	free(text);
	text = view_of_cut_short(file, true, 10);
	assert_says(text, "\"unknown_kinds\":[\n4,\n40]");
	free(text);
	text = view_of_cut_short((struct wm_file){.runs = 1}, false, 10);
	assert_null(strstr(text, "does not know"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overview),
		cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_bars_and_work_per_call),
		cmocka_unit_test(test_long_names_of_files_are_shortened),
		cmocka_unit_test(test_savings_are_told_where_there_are_any),
		cmocka_unit_test(test_rows_beyond_the_top_are_announced),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_callers_are_joined),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_abandoned_calls_are_no_edges),
		cmocka_unit_test(test_threads_cut_short_are_told),
		cmocka_unit_test(test_threads_that_count_now_are_told),
		cmocka_unit_test(test_status_is_told),
		cmocka_unit_test(test_data_of_unknown_kinds_is_told),
		cmocka_unit_test(test_sections_that_are_unknown_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
