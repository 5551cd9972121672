// Ten million activations: any probe after a tail call would overflow the stack.
// levels: -O2 -O3 -Os
#include <stdio.h>

static volatile unsigned sink;
static unsigned odd(unsigned n, unsigned step);

__attribute__((noinline)) static unsigned even(unsigned n, unsigned step)
{
	sink = n;
	if (n == 0)
		return step;
	return odd(n - 1, step + (n & 2));
}

__attribute__((noinline)) static unsigned odd(unsigned n, unsigned step)
{
	sink += n;
	if (n == 0)
		return step + 1;
	return even(n - 1, step * 3);
}

int main(void)
{
	printf("%u\n", even(10000000, 1));
	return 0;
}
