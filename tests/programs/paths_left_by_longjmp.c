// calls: main=1 climb=4096 mark=21504
// left_early: main=2048 climb=2048
// paths: climb=2304
// Half of all paths are left in the middle, at rung 8 of 12, by a jump back into main: of these only
// the first nine rungs ran, so that eight ways have one beginning.
#include <setjmp.h>
#include <stdio.h>

#define OWN_MARK
#include "rungs.h"

static jmp_buf context;
static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	if (rung == 8)
		longjmp(context, 1);
	sink = sink * 3 + rung;
}

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10) RUNG(11)
}

int main(void)
{
	volatile int jumps = 0;
	for (volatile unsigned way = 0; way < 4096; way++) {
		if (setjmp(context) == 0)
			climb(way);
		else
			jumps++;
	}
	printf("%d jumps, %lu\n", jumps, sink);
	return 0;
}
