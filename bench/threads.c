/* Threads that count at the same time: THREADS TURNS. Prints the processor time per turn of the
 * slowest thread in nanoseconds, and a sum that keeps the work from being removed. Each turn takes
 * one of two branches and so runs one counter or more; no turn shares data with another thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_THREADS = 256 };

struct worker {
	_Alignas(128) pthread_t thread;
	unsigned long turns;
	unsigned state;
	unsigned even, odd;
	double nanoseconds;
};

static pthread_barrier_t start;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

__attribute__((noinline)) static void turn(struct worker *worker, unsigned long count)
{
	worker->state = worker->state * 1664525 + 1013904223;
	if (count & 64)
		worker->even += worker->state >> 16;
	else
		worker->odd ^= worker->state;
}

static void *run(void *argument)
{
	struct worker *worker = argument;
	pthread_barrier_wait(&start);
	double before = now();
	for (unsigned long i = 0; i < worker->turns; i++)
		turn(worker, i);
	worker->nanoseconds = (now() - before) / worker->turns;
	return NULL;
}

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];
	int count = argc > 1 ? atoi(argv[1]) : 1;
	double slowest = 0;
	unsigned sum = 0;
	if (count < 1 || count > MAX_THREADS)
		return 1;
	pthread_barrier_init(&start, NULL, count);
	for (int i = 0; i < count; i++) {
		workers[i].turns = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;
		workers[i].state = i;
		pthread_create(&workers[i].thread, NULL, run, &workers[i]);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].even ^ workers[i].odd;
		if (workers[i].nanoseconds > slowest)
			slowest = workers[i].nanoseconds;
	}
	printf("%.4f %u\n", slowest, sum);
	return 0;
}
