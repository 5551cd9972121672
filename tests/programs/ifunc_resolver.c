// The resolver runs while the program is relocated, before any runtime can be ready.
#include <stdio.h>

static int fast(int x)
{
	return x > 3 ? x + 1 : x;
}

static int slow(int x)
{
	return x + 2;
}

typedef int operation(int);

static operation *resolve(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("sse2") ? fast : slow;
}

int step(int x) __attribute__((ifunc("resolve")));

int main(void)
{
	int x = 0;
	for (int i = 0; i < 9; i++)
		x += step(i);
	printf("%d\n", x);
	return 0;
}
