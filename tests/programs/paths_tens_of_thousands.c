// calls: climb=98304
// paths: climb=32768
// Every path of 15 conditionals runs, some of them more often: tables grow in the middle.
#include <stdio.h>

#include "rungs.h"

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12) RUNG(13) RUNG(14)
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
