// musttail holds at every level, -O0 included.
#include <stdio.h>

static volatile int limit = 3000000;

static unsigned turn(unsigned n, unsigned sum);

__attribute__((noinline)) static unsigned back(unsigned n, unsigned sum)
{
	if (n & 1)
		sum += n;
	__attribute__((musttail)) return turn(n - 1, sum ^ n);
}

__attribute__((noinline)) static unsigned turn(unsigned n, unsigned sum)
{
	if (n == 0)
		return sum;
	__attribute__((musttail)) return back(n, sum + 1);
}

int main(void)
{
	printf("%u\n", turn((unsigned)limit, 0));
	return 0;
}
