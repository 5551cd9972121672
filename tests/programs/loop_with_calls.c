// Calls in the loop body, one of which never comes back on the last iteration.
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned limit = 500;

__attribute__((noinline)) static unsigned mix(unsigned x)
{
	return x * 2654435761u ^ x >> 7;
}

int main(void)
{
	unsigned x = 1;
	for (unsigned i = 0;; i++) {
		x = mix(x);
		if (x % 3 == 0)
			x += i;
		if (i >= limit) {
			printf("%u\n", x);
			exit(3);
		}
	}
}
