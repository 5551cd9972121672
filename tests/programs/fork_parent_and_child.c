// main lives on in two processes; what they call is counted in both.
// calls: main=1 work=3
// left_early: main=-1
#include <stdio.h>
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
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(work(10) & 127);
	waitpid(child, &status, 0);
	printf("%d %d %d\n", before, WEXITSTATUS(status), work(20));
	return 0;
}
