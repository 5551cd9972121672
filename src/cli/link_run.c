/* Elsewhere `waymark cc` becomes clang. Here it waits for clang, and nobody may notice: it passes
 * on the signals by which a build is stopped, and ends in the same way. */
#define _GNU_SOURCE /* pipe2 */
#include "cli/link_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PASSED_ON_COUNT = sizeof passed_on / sizeof *passed_on };

static volatile pid_t clang;

static void pass_on(int signal_number)
{
	kill(clang, signal_number);
}

/* Whoever had them ignored goes on to ignore them. */
static void catch_signals(void)
{
	for (size_t i = 0; i < PASSED_ON_COUNT; i++) {
		struct sigaction action;
		sigaction(passed_on[i], NULL, &action);
		if (action.sa_handler == SIG_IGN)
			continue;
		action = (struct sigaction){.sa_handler = pass_on, .sa_flags = SA_RESTART};
		sigaction(passed_on[i], &action, NULL);
	}
}

/* If this process is killed, clang is not left alone. */
static _Noreturn void become_clang(char **arguments, pid_t parent, int report, sigset_t *mask)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(arguments[0], arguments);
	int reason = errno;
	(void)!write(report, &reason, sizeof reason);
	_exit(1);
}

/* Returns 0 if it runs; or why it cannot. */
static int start(char **arguments)
{
	int ends[2], reason = 0;
	sigset_t all, mask;
	pid_t parent = getpid();
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	clang = fork();
	if (clang == 0)
		become_clang(arguments, parent, ends[1], &mask);
	reason = clang < 0 ? errno : 0;
	close(ends[1]);
	if (clang > 0)
		catch_signals();
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (clang > 0 && read(ends[0], &reason, sizeof reason) != sizeof reason)
		reason = 0;
	close(ends[0]);
	return reason;
}

static int wait_for_clang(void)
{
	int status;
	while (waitpid(clang, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return status;
}

static _Noreturn void end_by(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	exit(128 + signal_number);
}

int wm_link_run(char **arguments)
{
	signal(SIGCHLD, SIG_DFL);
	errno = start(arguments);
	if (errno)
		return -1;
	int status = wait_for_clang();
	if (WIFSIGNALED(status))
		end_by(WTERMSIG(status));
	/* A limit on file sizes is an error like others, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	return WEXITSTATUS(status);
}
