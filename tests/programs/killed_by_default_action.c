// calls: main=1 outer=3 inner=8
// left_early: main=1 outer=1 inner=1
#include <signal.h>
#include <stdio.h>

__attribute__((noinline)) static int inner(int n)
{
	if (n == 21)
		raise(SIGTERM);
	return n + 1;
}

__attribute__((noinline)) static int outer(int n)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += inner(10 * n + i);
	return sum;
}

int main(void)
{
	int sum = 0;
	for (int n = 0; n < 10; n++)
		sum += outer(n);
	printf("%d\n", sum);
	return 0;
}
