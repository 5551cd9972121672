/* waymark run: runs a command, and adds what its programs counted to a store.
 *
 * The command notices nothing of it: it has the same streams, gets the signals that are sent to the
 * tool, and its status becomes the tool's, also if a signal ended it. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/counted_run.h"
#include "cli/fatal.h"
#include "cli/find_store.h"
#include "cli/options.h"
#include "cli/run_folder.h"
#include "cli/run_words.h"

/* Those that people and programs send to end or poke a command. */
static const int forwarded[] = {
	SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGCONT};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

struct request {
	struct wm_arena arena;
	const char *store; /* or NULL */
	const char *label; /* or NULL */
	const char *kind;
	const char *stop_at; /* or NULL */
	const char *limit;   /* or NULL */
	bool fixed;	     /* addresses are the same in each run */
	char **words;
};

/* N or N:KIND; which kinds there are the program knows. */
static void check_events(const char *option, const char *value)
{
	size_t digits = value ? strspn(value, "0123456789") : 1;
	if (digits == 0 || digits > 18 || (value && value[digits] && value[digits] != ':') ||
		(value && value[digits] == ':' && !value[digits + 1]))
		wm_fatal_usage("run: %s='%s' is no number of events, such as 1000000 or "
			       "1000000:steps",
			option, value);
}

static void parse(int argc, char **argv, struct request *request)
{
	const struct wm_option options[] = {{"--store", &request->store, NULL},
		{"--label", &request->label, NULL}, {"--kind", &request->kind, NULL},
		{"--stop-at", &request->stop_at, NULL}, {"--limit", &request->limit, NULL},
		{"--fixed-addresses", NULL, &request->fixed}};
	request->words = wm_counted_run_take(&argc, argv);
	int left = wm_options_parse("run", argc, argv, options, sizeof options / sizeof *options);
	if (left > 0)
		wm_fatal_usage(
			"run: '%s' is one word too many: the command stands behind --", argv[1]);
	if (!request->words || !request->words[0])
		wm_fatal_usage("run: name a command behind --: waymark run -- COMMAND");
	wm_run_words_check_kind("run", request->kind);
	check_events("--stop-at", request->stop_at);
	check_events("--limit", request->limit);
}

static volatile sig_atomic_t child_process;

/* The terminal sends its signals to the command, too; only what programs send is passed on. */
static void forward(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0 && child_process > 0)
		kill((pid_t)child_process, signal);
}

static void handle_signals(struct sigaction *before)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
	action.sa_sigaction = forward;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < FORWARDED; i++) {
		sigaction(forwarded[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(forwarded[i], &action, NULL);
	}
}

/* Status 127 is that of shells for commands that are not there. */
_Noreturn static void become(char **words, bool fixed)
{
	enum { NOT_THERE = 127, NOT_RUNNABLE = 126 };
	int now = personality(0xffffffff);
	if (fixed && now != -1)
		personality((unsigned long)now | ADDR_NO_RANDOMIZE);
	execvp(words[0], words);
	int reason = errno;
	fprintf(stderr, "waymark: cannot run '%s': %s\n", words[0], strerror(reason));
	_exit(reason == ENOENT ? NOT_THERE : NOT_RUNNABLE);
}

static void restore_signals(const struct sigaction *before, const sigset_t *mask)
{
	for (size_t i = 0; i < FORWARDED; i++)
		sigaction(forwarded[i], &before[i], NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Runs the command and returns its wait status. No signal is lost between fork and exec. */
static int run(const struct request *request, const struct wm_run_folder *folder, const char *label)
{
	struct sigaction before[FORWARDED];
	sigset_t all, mask;
	int status;
	setenv("WAYMARK_FILE", folder->pattern, 1);
	setenv("WAYMARK_LABEL", label, 1);
	if (request->stop_at)
		setenv("WAYMARK_STOP_AT", request->stop_at, 1);
	if (request->limit)
		setenv("WAYMARK_LIMIT", request->limit, 1);
	fflush(NULL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	handle_signals(before);
	pid_t child = fork();
	if (child < 0)
		wm_fatal("run: cannot start '%s': %s", request->words[0], strerror(errno));
	if (child == 0) {
		restore_signals(before, &mask);
		become(request->words, request->fixed);
	}
	child_process = child;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	child_process = 0;
	return status;
}

static int64_t processor_time(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000ll +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

/* Ends as the command did. */
_Noreturn static void end_as(int status)
{
	if (WIFSIGNALED(status)) {
		const struct rlimit none = {0, 0};
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		exit(128 + WTERMSIG(status));
	}
	exit(WEXITSTATUS(status));
}

/* What goes wrong here must not change the status: the command has ended. */
static void settle(struct request *request, const char *place, const struct wm_run_folder *folder)
{
	struct wm_store *store = NULL;
	struct wm_error error;
	enum wm_run_folder_end end = WM_RUN_ADDED;
	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error as any other */
	int status = wm_store_open(place, WM_STORE_MAKE, &store, &error);
	if (status == 0)
		status = wm_run_folder_settle(store, folder->path, &end, &error);
	if (status < 0)
		wm_warn("run: %s; the run is kept in '%s', and added by the next command that can",
			error.text, folder->path);
	else if (end == WM_RUN_EMPTY)
		wm_warn("run: '%s' ran no program built with waymark cc: nothing was added",
			request->words[0]);
	else if (end == WM_RUN_CONTINUES)
		wm_warn("run: processes that '%s' started still count; the run is added by the "
			"next command that uses the store when they have ended",
			request->words[0]);
	if (status == 0)
		wm_run_folder_settle_all(&request->arena, store, place);
	wm_store_close(store);
}

int wm_command_run(int argc, char **argv)
{
	struct request request = {.kind = "test"};
	struct wm_run_folder folder;
	struct wm_error error;
	char outcome[32];
	parse(argc, argv, &request);
	const char *label = wm_run_words_label(&request.arena, "run", request.label, request.words);
	struct wm_store_run record = {.kind = request.kind,
		.label = wm_run_words_printable(&request.arena, label),
		.host = wm_run_words_host(&request.arena),
		.outcome = "unknown",
		.started = wm_run_words_now()};
	const char *place = wm_find_store(&request.arena, request.store, true);
	wm_store_name_run(&record);
	if (wm_run_folder_make(&request.arena, place, &record, &folder, &error) < 0)
		wm_fatal("run: %s", error.text);
	int status = run(&request, &folder, label);
	wm_run_words_outcome(status, outcome, sizeof outcome);
	record.outcome = outcome;
	record.cpu = processor_time();
	if (wm_run_folder_note(&folder, &record, &error) < 0)
		wm_warn("run: %s", error.text);
	settle(&request, place, &folder);
	wm_arena_reset(&request.arena);
	end_as(status);
}
