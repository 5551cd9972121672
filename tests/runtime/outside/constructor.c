/* The earliest constructor that a program may have makes a child, and both go on to main. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tally.h"

enum { FIRST = 7, OWN = 3, LATER = 5 };

static volatile int sink;
static pid_t child;

__attribute__((noinline)) static void step(int n)
{
	sink = n;
}

static void count(int steps)
{
	for (int i = 0; i < steps; i++)
		step(i);
}

__attribute__((constructor(102))) static void begin(void)
{
	count(FIRST);
	child = fork();
	if (!child)
		count(OWN);
}

int main(void)
{
	count(LATER);
	if (!child)
		return 0;
	waitpid(child, NULL, 0);
	TALLY(begin, 1);
	TALLY(main, 2);
	TALLY(step, FIRST + OWN + 2 * LATER);
	return 0;
}
