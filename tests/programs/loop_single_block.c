// calls: collatz=99
#include <stdio.h>

__attribute__((noinline)) static unsigned collatz(unsigned n)
{
	unsigned steps = 0;
	do {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	} while (n > 1);
	return steps;
}

int main(void)
{
	unsigned steps = 0;
	for (unsigned n = 1; n < 100; n++)
		steps += collatz(n);
	printf("%u\n", steps);
	return 0;
}
