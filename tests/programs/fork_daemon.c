// calls: main=1 work=3 become_daemon=1
// left_early: main=-1 become_daemon=-1
// Two forks, a session of its own, the root directory, no file open. Orphans come to the first process,
// which reports how the daemon ended.
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 3 ? i : 1;
	return sum;
}

__attribute__((noinline)) static void become_daemon(void)
{
	setsid();
	if (fork() > 0)
		_exit(work(10) & 127);
	umask(0);
	if (chdir("/"))
		exit(99);
	for (int file = 0; file < 1024; file++)
		close(file);
}

int main(void)
{
	int status;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	work(3);
	pid_t child = fork();
	if (child == 0) {
		become_daemon();
		exit(work(1000) & 127);
	}
	waitpid(child, &status, 0);
	printf("parent of the daemon %d\n", WEXITSTATUS(status));
	wait(&status);
	printf("daemon %d\n", WEXITSTATUS(status));
	return 0;
}
