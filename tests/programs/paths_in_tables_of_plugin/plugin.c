/* Counts more paths than an array has places for, when it is used and when it goes. */
#include "../rungs.h"

static unsigned last;

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9)
}

unsigned plugin_run(unsigned first)
{
	for (last = first; last < first + 900; last++)
		climb(last);
	return sink;
}

__attribute__((destructor)) static void plugin_goes(void)
{
	for (unsigned i = 0; i < 100; i++)
		climb(last + i);
}
