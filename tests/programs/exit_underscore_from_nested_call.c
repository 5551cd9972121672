// calls: main=1 outer=5 inner=10
// left_early: main=1 outer=1
// _exit runs no handler at all.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void not_reached(void)
{
	puts("not reached");
}

__attribute__((noinline)) static int inner(int n)
{
	if (n == 15)
		_exit(5);
	return n;
}

__attribute__((noinline)) static int outer(int n)
{
	int sum = 1;
	for (int i = 0; i < n; i++)
		sum += inner(i + sum);
	return sum;
}

int main(void)
{
	int sum = 0;
	atexit(not_reached);
	for (int n = 0; n < 10; n++)
		sum += outer(n);
	return sum & 1;
}
