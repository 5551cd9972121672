/* Lets the threads of the library pool.c count, all at once, and counts beside them. */
#include <stdio.h>

#include "tally.h"

enum { STEPS = 500000 };

extern void (*pool_work)(void);
int pool_join(void);

static volatile int sink;

__attribute__((noinline)) static void step(int n)
{
	sink = n;
}

static void work(void)
{
	for (int i = 0; i < STEPS; i++)
		step(i);
}

int main(void)
{
	__atomic_store_n(&pool_work, work, __ATOMIC_RELEASE);
	work();
	int calls = 1 + pool_join();
	TALLY(work, calls);
	TALLY(step, calls * STEPS);
	return 0;
}
