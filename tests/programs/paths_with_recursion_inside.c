// calls: descend=2047 main=1
// paths: descend=1536
// Between two halves of a path the function calls itself, so that many paths are under way at one
// time: each frame must keep its own.
#include <stdio.h>

#include "rungs.h"

__attribute__((noinline)) static void descend(unsigned way, int depth)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4)
	if (depth > 0) {
		descend(way * 2, depth - 1);
		mark(20);
		descend(way * 2 + 1, depth - 1);
	}
	RUNG(5) RUNG(6) RUNG(7) RUNG(8) RUNG(9)
}

int main(void)
{
	descend(0, 10);
	printf("%lu\n", sink);
	return 0;
}
