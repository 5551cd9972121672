/* fork, exec, a child that is killed. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status, sum = 0;
	if (argc > 1)
		return 7;
	if (fork() == 0) {
		for (volatile int i = 0; i < 1000; i++)
			sum += i;
		_exit(sum % 100);
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	fflush(stdout);
	if (fork() == 0) {
		execl(argv[0], argv[0], "again", (char *)0);
		_exit(1);
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	fflush(stdout);
	if (fork() == 0)
		kill(getpid(), SIGTERM);
	wait(&status);
	printf("%d\n", WTERMSIG(status));
	return 5;
}
