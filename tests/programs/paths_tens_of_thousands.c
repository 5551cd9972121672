// calls: climb=98304
// paths: climb=32768
// Every path of 15 conditionals runs, some of them more often: tables grow in the middle.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way >> n & 1) \
		mark(n);

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7)
	RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12) RUNG(13) RUNG(14)
}

int main(void)
{
	for (unsigned i = 0; i < 32768; i++)
		climb(i * 17477);
	for (unsigned i = 0; i < 65536; i++)
		climb(i % 4096);
	printf("%lu\n", sink);
	return 0;
}
