// calls: main=1 outer=16 inner=48
// left_early: main=1 outer=1
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) static int inner(int n)
{
	if (n == 17) {
		printf("leaving with %d\n", sink);
		exit(4);
	}
	return n * 3;
}

__attribute__((noinline)) static int outer(int n)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += inner(n + i);
	sink = sum;
	return sum;
}

int main(void)
{
	for (int n = 0; n < 100; n++)
		if (outer(n) % 2)
			sink++;
	return 0;
}
