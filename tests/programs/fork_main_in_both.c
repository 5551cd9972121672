// calls: main=1
// left_early: main=-1
// Every block that two processes run is counted twice, every block before the fork once.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += i;
	pid_t child = fork();
	for (int i = 0; i < 5; i++)
		sum += child ? 1 : 2;
	if (child == 0)
		_exit(sum);
	int status;
	waitpid(child, &status, 0);
	printf("%d %d\n", sum, WEXITSTATUS(status));
	return 0;
}
