// calls: main=6 work=6 start=5
// left_early: main=5
// One process, six programs in a row: the process id and its start time stay the same.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 1;
	return sum;
}

__attribute__((noinline)) static void start(char *name, int n)
{
	char number[] = {'0' + n, 0};
	execl(name, name, number, NULL);
	abort();
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	printf("%d %d\n", n, work(10 * n));
	fflush(stdout);
	if (n < 5)
		start(argv[0], n + 1);
	return 3;
}
