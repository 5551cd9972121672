// report: Rust 158217
// about: counters that wrap below zero in a program of many threads, here in C
// flags: -pthread
// chance: what counters that race lose
// Eight threads take 4,000 tasks each. A task that is a multiple of four is refused: 1,000 of
// 4,000. The others take 50 steps each, of which the last is told from the first 49.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, TASKS = 4000, STEPS = 50 };

static pthread_barrier_t start;

__attribute__((noinline)) static int take_steps(int task)
{
	int sum = task; // 24000
	for (int i = 0; i < STEPS; i++) {
		if (i != STEPS - 1)	 // 1200000
			sum ^= sum << 1; // 1176000, reported
		else
			sum += 1; // 24000, reported
	}
	return sum; // 24000
}

__attribute__((noinline)) static int do_task(int task)
{
	if (task % 4 == 0)	     // 32000
		return 0;	     // 8000, reported
	return take_steps(task) & 1; // 24000
}

static void *run(void *result)
{
	int sum = 0;		      // 8
	pthread_barrier_wait(&start); // 8
	for (int i = 0; i < TASKS; i++)
		sum += do_task(i); // 32000
	*(int *)result = sum;	   // 8
	return NULL;		   // 8
}

int main(void)
{
	pthread_t thread[THREADS];
	int result[THREADS], sum = 0;		     // 1
	pthread_barrier_init(&start, NULL, THREADS); // 1
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, &result[i]); // 8
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL); // 8
		sum += result[i];	       // 8
	}
	printf("%d\n", sum); // 1
	return 0;	     // 1
}
