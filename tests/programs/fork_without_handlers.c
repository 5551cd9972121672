// calls: main=1 work=5
// left_early: main=-2
// Neither of the two ways to make a child runs what pthread_atfork() was told.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 1;
	return sum;
}

int main(void)
{
	int status = 0, before = work(5);
	pid_t child = _Fork();
	if (child == 0)
		_exit(work(10) & 127);
	waitpid(child, &status, 0);
	printf("%d %d %d\n", before, WEXITSTATUS(status), work(20));
	fflush(stdout);
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		_exit(work(30) & 127);
	waitpid(child, &status, 0);
	printf("%d %d\n", WEXITSTATUS(status), work(40));
	return 0;
}
