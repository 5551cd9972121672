// calls: climb=8192 handle=4096 respond=4096
// paths: climb=4096 respond=4096
// A handler counts in tables, new keys all the time, while the function that it interrupts does so
// too: every second path is interrupted, in the middle, by a signal that it sends itself.
#include <signal.h>
#include <stdio.h>

#include "rungs.h"

static volatile unsigned arrived;

#define LOWER RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5)
#define UPPER RUNG(6) RUNG(7) RUNG(8) RUNG(9) RUNG(10) RUNG(11)

__attribute__((noinline)) static void respond(unsigned way)
{
	LOWER UPPER
}

static void handle(int signal_number)
{
	(void)signal_number;
	respond(arrived++ * 2741);
}

__attribute__((noinline)) static void pause_if(int interrupted)
{
	if (interrupted)
		raise(SIGUSR1);
}

__attribute__((noinline)) static void climb(unsigned way, int interrupted)
{
	LOWER
	pause_if(interrupted);
	UPPER
}

int main(void)
{
	signal(SIGUSR1, handle);
	for (unsigned i = 0; i < 8192; i++)
		climb(i * 1733, i & 1);
	printf("%lu\n", sink);
	return 0;
}
