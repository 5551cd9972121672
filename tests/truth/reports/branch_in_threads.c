// report: LLVM 105341
// about: a branch that threads always take
// flags: -pthread
// chance: what counters that race lose
// The limit is 300,000 in each of four threads, and the condition holds for every number below it.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

static volatile int limit = 300000;
static pthread_barrier_t start;

static void *run(void *result)
{
	int below = 0, above = 0;     // 4
	pthread_barrier_wait(&start); // 4
	for (int i = 0; i < 300000; i++) {
		if (i < limit)	 // 1200000
			below++; // 1200000, reported
		else
			above++; // 0, reported
	}
	*(int *)result = below + above; // 4
	return NULL;			// 4
}

int main(void)
{
	pthread_t thread[THREADS];
	int result[THREADS], sum = 0;		     // 1
	pthread_barrier_init(&start, NULL, THREADS); // 1
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, &result[i]); // 4
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL); // 4
		sum += result[i];	       // 4
	}
	printf("%d\n", sum); // 1
	return 0;	     // 1
}
