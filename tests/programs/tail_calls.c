// calls: finish=30
#include <stdio.h>

static volatile int seen;

__attribute__((noinline)) static int finish(int x)
{
	seen += x;
	return x ^ seen;
}

__attribute__((noinline)) static int choose(int x)
{
	if (x & 1)
		return finish(x + 1);
	if (x & 2)
		return finish(x * 3);
	return x ? finish(-x) : finish(1);
}

__attribute__((noinline)) static void down(int n)
{
	seen++;
	if (n > 0)
		down(n - 1);
}

int main(void)
{
	int sum = 0;
	for (int x = 0; x < 30; x++)
		sum += choose(x);
	down(1000);
	printf("%d\n", sum);
	return 0;
}
