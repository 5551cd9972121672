/* The pager is a child that reads a pipe, and this process writes into it; so its exit status stays
 * its own. It must not end before the pager: the shell would take the terminal back. */
#define _GNU_SOURCE /* pipe2 */
#include "cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/terminal.h"

extern char **environ;

/* As less is used where its user has not set it up: it ends at once if all fits on the screen (F),
 * shows colours (R), and leaves the text on the screen (X). */
static const char default_pager[] = "less -FRX";
static const char settings_of_less[] = "FRX";

enum { MOST_WORDS = 16 };

static pid_t pager;

static const char *chosen_pager(void)
{
	const char *name = getenv("WAYMARK_PAGER");
	if (!name)
		name = getenv("PAGER");
	return name ? name : default_pager;
}

/* Words between blanks; no shell reads them. */
static int split(char *text, char **words)
{
	int count = 0;
	for (char *word; count < MOST_WORDS && (word = strsep(&text, " \t"));)
		if (*word)
			words[count++] = word;
	words[count] = NULL;
	return count;
}

static void stop_writing(void)
{
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
}

static void wait_for_pager(void)
{
	fflush(stdout);
	fflush(stderr);
	stop_writing();
	waitpid(pager, NULL, 0);
}

/* A reader who has seen enough quits the pager: that is no error. Other signals do what they always
 * do, after the pager has put the terminal right. */
static void end_by_signal(int signal_number)
{
	stop_writing();
	waitpid(pager, NULL, 0);
	if (signal_number == SIGPIPE)
		_exit(0);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], end_by_signal);
}

static bool spawn(char **words, int input)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	int status = posix_spawnp(&pager, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status == 0;
}

/* The width is asked while there is still a terminal to ask. */
static void prepare_environment(void)
{
	char width[16];
	snprintf(width, sizeof width, "%zu", wm_terminal_width(stdout));
	setenv("COLUMNS", width, 1);
	setenv("LESS", settings_of_less, 0);
}

static void write_to(int output)
{
	bool messages = isatty(STDERR_FILENO);
	dup2(output, STDOUT_FILENO);
	if (messages)
		dup2(output, STDERR_FILENO);
	catch_signals();
	atexit(wait_for_pager);
}

static bool terminal_moves_cursor(void)
{
	const char *terminal = getenv("TERM");
	return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void wm_pager_start(void)
{
	int ends[2];
	char text[1024], *words[MOST_WORDS + 1];
	snprintf(text, sizeof text, "%s", chosen_pager());
	if (!isatty(STDOUT_FILENO) || !terminal_moves_cursor() || split(text, words) == 0 ||
		!strcmp(words[0], "cat") || pipe2(ends, O_CLOEXEC) != 0)
		return;
	prepare_environment();
	if (spawn(words, ends[0]))
		write_to(ends[1]);
	close(ends[0]);
	close(ends[1]);
}
