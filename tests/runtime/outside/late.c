/* A library whose function is called after its destructors, by a library that it needs. */
#include <stdio.h>

#include "tally.h"

void register_callback(void (*callback)(int), void (*last)(void));

static int calls, ends;

__attribute__((noinline)) static int step(int n)
{
	return n % 2 ? n : n + 1;
}

static void callback(int n)
{
	calls++;
	for (int i = 0; i < n; i++)
		step(i);
}

static void last(void)
{
	TALLY(callback, calls);
	TALLY(end, ends);
	TALLY(step, 4 + 5 + 6 + 2);
	TALLY(last, 1);
	fflush(stdout);
}

__attribute__((destructor)) static void end(void)
{
	ends++;
	callback(2);
}

void use(void)
{
	register_callback(callback, last);
}
