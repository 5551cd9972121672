// report: LLVM 62558
// about: threads that run the same lines
// flags: -pthread
// chance: what counters that race lose
// Four threads parse 1,000,000 times each.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TIMES = 1000000 };

static pthread_barrier_t start;

__attribute__((noinline)) static int parse(int number)
{
	int digits = number & 15; // 4000000, reported
	return digits * 3;	  // 4000000
}

static void *run(void *result)
{
	int sum = 0;		      // 4
	pthread_barrier_wait(&start); // 4
	for (int i = 0; i < TIMES; i++)
		sum += parse(i); // 4000000, reported
	*(int *)result = sum;	 // 4
	return NULL;		 // 4
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
		sum += result[i] & 255;	       // 4
	}
	printf("%d\n", sum); // 1
	return 0;	     // 1
}
