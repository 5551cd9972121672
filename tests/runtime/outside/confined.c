/* A program that gives up the right to open files, as servers do, and then makes threads. */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

#include "tally.h"

enum { THREADS = 3, STEPS = 1000 };

static volatile int sink;

__attribute__((noinline)) static void step(int n)
{
	if (n & 1)
		sink = n;
}

static void *run(void *unused)
{
	for (int i = 0; i < STEPS; i++)
		step(i);
	return unused;
}

int main(void)
{
	const struct rlimit none = {0, 0};
	pthread_t thread[THREADS];
	step(1);
	setrlimit(RLIMIT_NOFILE, &none);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	TALLY(run, THREADS);
	TALLY(step, THREADS * STEPS + 1);
	return 0;
}
