// calls: main=1 outer=4 inner=12 farewell=1
// left_early: main=1 outer=1
// quick_exit runs its own handlers and nothing else: no destructor, no stream is flushed.
#include <stdio.h>
#include <stdlib.h>

static void farewell(void)
{
	puts("farewell");
	fflush(stdout);
}

__attribute__((noinline)) static int inner(int n)
{
	if (n == 5)
		quick_exit(3);
	return n * n;
}

__attribute__((noinline)) static int outer(int n)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += inner(n + i);
	return sum;
}

int main(void)
{
	at_quick_exit(farewell);
	int sum = 0;
	for (int n = 0; n < 10; n++)
		sum += outer(n);
	return sum & 1;
}
