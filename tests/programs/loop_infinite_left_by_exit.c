#include <stdlib.h>
#include <stdio.h>

int main(void)
{
	unsigned n = 27, steps = 0;
	for (;;) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
		if (n == 1) {
			printf("%u\n", steps);
			exit(steps & 31);
		}
	}
}
