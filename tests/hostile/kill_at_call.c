/* Kills a program when it is about to make its N-th system call: kill_at_call N PROGRAM
 * [ARGUMENT...]. Calls of all its threads count together. Exit status 0: it was killed; 1: it ended
 * before that. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_SYSTEM_CALL (SIGTRAP | 0x80)

static pid_t start(char **argv)
{
	pid_t child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		execv(argv[0], argv);
		_exit(126);
	}
	waitpid(child, NULL, 0);
	ptrace(PTRACE_SETOPTIONS, child, 0,
		PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE);
	ptrace(PTRACE_SYSCALL, child, 0, 0);
	return child;
}

static int signal_to_pass(int status)
{
	int number = WSTOPSIG(status);
	return number == AT_SYSTEM_CALL || number == SIGTRAP || number == SIGSTOP ? 0 : number;
}

/* Lets the program run up to the next stop that is a system call; false if it has ended. */
static int next_call(pid_t program)
{
	int status;
	pid_t stopped = waitpid(-1, &status, __WALL);
	while (stopped > 0 && !(WIFSTOPPED(status) && WSTOPSIG(status) == AT_SYSTEM_CALL)) {
		if (WIFSTOPPED(status))
			ptrace(PTRACE_SYSCALL, stopped, 0, signal_to_pass(status));
		else if (stopped == program)
			return 0;
		stopped = waitpid(-1, &status, __WALL);
	}
	return stopped;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	pid_t program = start(argv + 2), stopped;
	/* Each call stops twice, before and after it; to be killed between is worth a try too. */
	for (int left = atoi(argv[1]); left > 0; left--) {
		stopped = next_call(program);
		if (stopped <= 0)
			return 1;
		if (left > 1)
			ptrace(PTRACE_SYSCALL, stopped, 0, 0);
	}
	kill(program, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
	return 0;
}
