// calls: main=1 work=25
// left_early: main=-24
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned x = n;
	for (unsigned i = 0; i < 1000 * n; i++)
		x = x & 1 ? 3 * x + i : x / 2;
	return x;
}

int main(void)
{
	int sum = 0, status;
	for (int n = 1; n <= 24; n++)
		if (fork() == 0)
			_exit(work(n) & 127);
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	printf("%d %u\n", sum, work(25));
	return 0;
}
