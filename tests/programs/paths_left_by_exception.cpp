// calls: main=1 _ZL5climbj=2048 _ZL5guardj=2048
// left_early: _ZL5climbj=1024
// paths: _ZL5climbj=1152
// Half of all paths are left by an exception at rung 7 of 11, of these all that share the first
// eight rungs as one path; it is caught in the function that called.
#include <cstdio>

#define OWN_MARK
#include "rungs.h"

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	if (rung == 7)
		throw rung;
	sink = sink * 3 + rung;
}

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10)
}

__attribute__((noinline)) static unsigned guard(unsigned way)
{
	unsigned result = way & 2 ? 1 : 2;
	try {
		climb(way);
		result += way & 4 ? 3 : 4;
	} catch (unsigned rung) {
		result += way & 1 ? rung : 5;
	}
	return way & 8 ? result : 2 * result;
}

int main()
{
	unsigned long sum = 0;
	for (unsigned way = 0; way < 2048; way++)
		sum += guard(way);
	std::printf("%lu %lu\n", sum, sink);
	return 0;
}
