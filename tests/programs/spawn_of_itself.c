// calls: main=5 work=5
// A program that runs itself four times, two of them at once, all adding to one profile.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 4 ? i : 1;
	return sum;
}

int main(int argc, char **argv)
{
	int sum = 0, status;
	if (argc > 1)
		return work(atoi(argv[1])) & 127;
	for (int n = 0; n < 4; n++) {
		char number[] = {'1' + n, '0', 0};
		char *arguments[] = {argv[0], number, NULL};
		pid_t child;
		if (posix_spawn(&child, argv[0], NULL, NULL, arguments, environ))
			return 1;
		if (n & 1)
			while (wait(&status) > 0)
				sum += WEXITSTATUS(status);
	}
	printf("%d %d\n", sum, work(100));
	return 0;
}
