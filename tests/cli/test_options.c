/* Option parsing; what ends the tool is tried in a child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/nearest.h"
#include "cli/options.h"

struct answers {
	const char *top;
	bool json;
};

static int parse(struct answers *answers, char **argv)
{
	int argc = 0;
	while (argv[argc])
		argc++;
	const struct wm_option options[] = {
		{"--top", &answers->top, NULL}, {"--json", NULL, &answers->json}};
	return wm_options_parse("report", argc, argv, options, 2);
}

static void test_options_stand_anywhere_and_leave_the_rest(void **state)
{
	(void)state;
	struct answers answers = {0};
	char *argv[] = {"report", "one", "--top=7", "-", "--json", "two", NULL};
	assert_int_equal(parse(&answers, argv), 3);
	assert_string_equal(answers.top, "7");
	assert_true(answers.json);
	assert_string_equal(argv[0], "report");
	assert_string_equal(argv[1], "one");
	assert_string_equal(argv[2], "-");
	assert_string_equal(argv[3], "two");
}

static void test_value_may_be_the_next_argument_or_empty(void **state)
{
	(void)state;
	struct answers answers = {0};
	char *separate[] = {"report", "--top", "--json", "x", NULL};
	assert_int_equal(parse(&answers, separate), 1);
	assert_string_equal(answers.top, "--json");
	assert_false(answers.json);
	char *empty[] = {"report", "--top=", NULL};
	assert_int_equal(parse(&answers, empty), 0);
	assert_string_equal(answers.top, "");
	char *equals[] = {"report", "--top=a=b", NULL};
	assert_int_equal(parse(&answers, equals), 0);
	assert_string_equal(answers.top, "a=b");
}

static void test_two_dashes_end_the_options(void **state)
{
	(void)state;
	struct answers answers = {0};
	char *argv[] = {"report", "--", "--json", "--", NULL};
	assert_int_equal(parse(&answers, argv), 2);
	assert_false(answers.json);
	assert_string_equal(argv[1], "--json");
	assert_string_equal(argv[2], "--");
}

/* Parses in a child; checks its status and that it said exactly one line that holds the text. */
static void assert_refused(char **argv, const char *text)
{
	int ends[2], status;
	char said[512] = "";
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct answers answers = {0};
		dup2(ends[1], STDERR_FILENO);
		parse(&answers, argv);
		_exit(0);
	}
	close(ends[1]);
	for (size_t used = 0; used < sizeof said - 1;) {
		ssize_t got = read(ends[0], said + used, sizeof said - 1 - used);
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	if (!strstr(said, text))
		fail_msg("'%s' does not say '%s'", said, text);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void test_mistakes_end_with_one_line(void **state)
{
	(void)state;
	char *unknown[] = {"report", "--jsno", NULL};
	assert_refused(unknown, "unknown option '--jsno'; did you mean --json?");
	char *with_value[] = {"report", "--tpo=3", NULL};
	assert_refused(with_value, "unknown option '--tpo'; did you mean --top?");
	char *strange[] = {"report", "--quixotic", NULL};
	assert_refused(strange, "see `waymark report --help`");
	char *missing[] = {"report", "--top", NULL};
	assert_refused(missing, "option --top needs a value");
	char *unwanted[] = {"report", "--json=yes", NULL};
	assert_refused(unwanted, "option --json takes no value");
	char lengthy[400];
	memset(lengthy, '-', sizeof lengthy - 1);
	lengthy[sizeof lengthy - 1] = '\0';
	char *too_long[] = {"report", lengthy, NULL};
	assert_refused(too_long, "unknown option");
}

static void test_distances(void **state)
{
	(void)state;
	assert_int_equal(wm_nearest_distance("", ""), 0);
	assert_int_equal(wm_nearest_distance("", "abc"), 3);
	assert_int_equal(wm_nearest_distance("kitten", "sitting"), 3);
	assert_int_equal(wm_nearest_distance("reprot", "report"), 1);
	assert_int_equal(wm_nearest_distance("ab", "ba"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options_stand_anywhere_and_leave_the_rest),
		cmocka_unit_test(test_value_may_be_the_next_argument_or_empty),
		cmocka_unit_test(test_two_dashes_end_the_options),
		cmocka_unit_test(test_mistakes_end_with_one_line),
		cmocka_unit_test(test_distances),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
